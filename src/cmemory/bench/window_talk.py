"""A conversation of our own for measuring the adaptive window: two languages, small talk, near misses, and what is asked.

A line that a question is about has a name; everything else has none and is there to be passed over: plans that came to
nothing, questions, thanks, and other things of the same kind.
"""

from __future__ import annotations

#: Name of the line or nothing, who says it, and what.
LINES: tuple[tuple[str, str, str], ...] = (
    ("kiln", "user", "The pottery kiln in our shared studio runs at 1240 degrees for stoneware."),
    ("", "assistant", "That is properly hot. Do you watch it the whole time?"),
    ("", "user", "Only for the first hour, then Marta takes over."),
    ("key", "user", "The studio key lies under the third flower pot, the cracked one."),
    ("", "assistant", "Got it!"),
    ("surgery", "user", "我家猫叫豆沙，四月十二号做了绝育手术，恢复得不错。"),
    ("", "assistant", "太好了，辛苦豆沙了。"),
    ("food", "user", "豆沙只吃鸭肉味的罐头，鸡肉的一口都不碰。"),
    ("", "assistant", "好的。"),
    ("", "user", "邻居家的狗叫年糕，什么罐头都吃。"),
    ("choir", "user", "Choir practice is on Thursdays at half past seven in the old fire station."),
    ("", "assistant", "A fire station must have a lovely echo."),
    ("song", "user", "For the spring concert the choir sings a lullaby that my aunt arranged."),
    ("", "user", "Maybe we will also sing something in Finnish, nobody knows yet."),
    ("", "assistant", "Thanks for telling me."),
    ("pharmacy", "user", "外公的降压药要在解放路的药房拿，医保卡放在玄关抽屉里。"),
    ("", "assistant", "记住要带医保卡，路上慢一点。"),
    ("dose", "user", "外公的降压药早上吃一片，晚上不能吃。"),
    ("", "user", "可能下个月医生会给他换药，还不确定。"),
    ("", "assistant", "嗯，先按现在的来。"),
    ("", "user", "What a rainy week this is!"),
    ("", "assistant", "The garden will be glad of it."),
    (
        "seeds",
        "user",
        "I planted the purple beans behind the shed because the front bed gets no sun after four.",
    ),
    ("", "user", "The tomatoes look miserable again, by the way."),
    ("", "assistant", "Perhaps they would like to stand under a roof."),
    (
        "wifi",
        "user",
        "Marta changed the studio's network name to Clayhouse and wrote the password on the fridge.",
    ),
    ("", "assistant", "Very safe, as long as nobody eats."),
    ("train", "user", "去杭州的高铁是早上七点零四分，从虹桥站三号口进。"),
    ("", "assistant", "那要起得很早呀。"),
    ("hotel", "user", "杭州住的民宿在满觉陇，老板姓沈，门口有两棵桂花树。"),
    ("", "user", "苏州那次住的酒店吵得要命，别提了。"),
    ("", "assistant", "希望这次安静一点。"),
    ("allergy", "user", "My nephew Ole is allergic to walnuts, so the birthday cake needs almonds instead."),
    ("", "assistant", "Almonds it is. How old will he be?"),
    ("age", "user", "Ole turns nine on the second of June and wants a treasure hunt."),
    ("", "user", "His sister Runa collects snail shells and needs no cake at all."),
    ("", "assistant", "She sounds easy to please."),
    ("thesis", "user", "我的论文题目定了：《运河沿岸的老茶馆》，导师让我月底交提纲。"),
    ("", "assistant", "题目真有画面感。"),
    ("library", "user", "写论文要用的县志只有档案馆二楼能看，周一闭馆。"),
    ("", "user", "今天天气真好，下午想去河边走走。"),
    ("", "assistant", "去吧，走走对脑子好。"),
    (
        "glaze",
        "user",
        "My favourite glaze is celadon with a pinch of iron; it must not be put on thicker than a coin.",
    ),
    ("", "assistant", "A coin is a nice measure."),
    ("", "user", "Did I tell you about the bus driver who whistles?"),
    ("", "assistant", "You did, and I liked him."),
    (
        "bike",
        "user",
        "The bicycle is with Henrik in Dock Street; the repair costs forty and is paid already.",
    ),
    ("", "assistant", "Then you only have to fetch it."),
)

#: What is asked, and the names of the lines it is about, in the order of the last of them.
QUESTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("How hot does the kiln run for stoneware?", ("kiln",)),
    ("Where did I put the studio key?", ("key",)),
    ("豆沙什么时候做的手术？", ("surgery",)),
    ("豆沙爱吃什么味道的罐头？", ("food",)),
    ("豆沙做完手术恢复得怎么样，罐头要买哪种？", ("surgery", "food")),
    ("On which day does the choir meet?", ("choir",)),
    ("What does the choir sing at the concert, and where is practice?", ("choir", "song")),
    ("外公的药去哪里拿？", ("pharmacy",)),
    ("外公的降压药怎么拿、怎么吃？", ("pharmacy", "dose")),
    ("Where do the purple beans grow?", ("seeds",)),
    ("What do I need in the studio: key, network and kiln?", ("kiln", "key", "wifi")),
    ("去杭州的火车几点开？", ("train",)),
    ("杭州的民宿在哪，高铁从哪个口进？", ("train", "hotel")),
    ("What must not go into Ole's birthday cake?", ("allergy",)),
    ("What do I have to remember for Ole's birthday?", ("allergy", "age")),
    ("论文的县志在哪里能看？", ("library",)),
    ("我的论文写什么，什么时候交提纲？", ("thesis",)),
    ("How thick may the celadon glaze be?", ("glaze",)),
    ("Who mends my bike?", ("bike",)),
)
