"""A small Chinese diary of our own: what somebody says of the people around them, and questions about it.

Three diaries of hand-written messages, each among a hundred made-up ones that share names of places, dishes and doings
with them. Questions ask one thing, or two, or come after talk of something else. Messages and questions were written
together by one person, so the figures tell whether a way of asking is understood, not how much real people would find.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

#: Made-up messages of each diary.
DISTRACTORS = 100

#: What is told, by diary: a name and the message.
TOLD: tuple[Mapping[str, str], ...] = (
    {
        "cousin": "我表姐叫王雅琴，比我大六岁。",
        "cousin job": "王雅琴在城东的农商银行做柜员，每天站得腿酸。",
        "cousin birthday": "下周要给雅琴挑礼物，她生日是三月初五。",
        "cousin home": "雅琴刚搬到翠湖花园，说阳台能看见水库。",
        "boss": "我们部门的领导姓郑，叫郑启明，说话特别快。",
        "boss hobby": "郑启明周末都去河边夜钓，钓到的鱼又放回去。",
        "boss car": "启明总新换了一辆墨绿色的皮卡，停车位都不够长。",
        "flat": "合租的室友小薛是学古籍修复的。",
        "flat cat": "小薛把一只断尾的玳瑁猫领回来了，取名叫印泥。",
        "flat food": "小薛对花生过敏，做菜我都不敢放花生酱。",
        "concert": "九月二十号在滨江剧院有一场昆曲，我订了两张票。",
        "course": "我报了周四晚上的木工课，老师傅姓侯。",
        "loan": "借给老同学赵远的八千块，他说年底前还我。",
        "knee": "复查说右膝半月板只要静养，不用开刀。",
    },
    {
        "brother": "弟弟梁乐今年考上了海事学院，学轮机。",
        "brother girl": "梁乐的女朋友叫苏棠，是学校广播站的。",
        "brother gift": "苏棠送了梁乐一块旧怀表，说是她爷爷留下的。",
        "teacher": "教我拉二胡的是顾老师，退休前在文工团。",
        "teacher home": "顾老师住在老城墙根下的一个小院里，院里有棵柿子树。",
        "teacher son": "顾老师的儿子在青岛修钢琴。",
        "neighbour": "对门的邻居叫谭慧，自己开了家修表铺。",
        "neighbour dog": "谭慧的狗叫团长，是条老金毛，见谁都摇尾巴。",
        "neighbour time": "修表铺每周一关门，谭慧那天去游泳。",
        "trip": "五月底我要坐绿皮火车去伊春看杜鹃花。",
        "bike": "我那辆折叠车的变速线断了，修车师傅要价六十。",
        "medicine": "医生给我换了降压药，早饭后吃半片。",
        "rent": "房东答应从七月起每月少收两百房租。",
        "book": "我在旧书摊淘到一本一九五七年的《植物名录》。",
    },
    {
        "aunt": "小姨何蔓在县里的气象站上班，负责放探空气球。",
        "aunt illness": "何蔓去年做过甲状腺手术，脖子上留了道细疤。",
        "aunt marry": "小姨和姨父是在敦煌的火车上认识的。",
        "colleague": "新来的同事叫陆川，从测绘院跳槽过来的。",
        "colleague child": "陆川的双胞胎女儿刚满三岁，一个叫朝朝一个叫暮暮。",
        "colleague run": "陆川报了十一月的山地越野，四十公里那组。",
        "friend": "发小魏冬在景德镇烧瓷，专做小茶盏。",
        "friend kiln": "魏冬的窑上个月塌了一角，损失了两百多只盏。",
        "friend phone": "魏冬换号了，新号码尾数是四七七。",
        "exam": "我的注会还差税法一门，十月中旬考。",
        "plant": "窗台那盆薄荷被我浇死了，换了一盆迷迭香。",
        "watch": "爸的手表送去检修，要等十五个工作日。",
        "allergy": "我一吃芒果嘴唇就肿，体检单上也写了。",
        "film": "上次看哭的那部纪录片讲的是放排工。",
    },
)

#: What is asked, by diary: the kind, the question and the names of the messages that answer it.
ASKED: tuple[Sequence[tuple[str, str, tuple[str, ...]]], ...] = (
    (
        ("simple", "小薛养的猫叫什么？", ("flat cat",)),
        ("simple", "昆曲是哪天在哪个剧院？", ("concert",)),
        ("simple", "我的膝盖要不要开刀？", ("knee",)),
        ("conditional", "我表姐在哪家银行上班？", ("cousin", "cousin job")),
        ("conditional", "我们部门领导周末喜欢做什么？", ("boss", "boss hobby")),
        ("conditional", "我表姐的生日是哪天？", ("cousin", "cousin birthday")),
        ("compound", "郑启明换了什么车？另外，木工课的师傅姓什么？", ("boss car", "course")),
        ("compound", "小薛对什么过敏，另外赵远欠我多少钱？", ("flat food", "loan")),
        ("compound", "雅琴搬到哪儿了？还有，小薛是学什么的？", ("cousin home", "flat")),
        (
            "noisy",
            "昨晚和同事吃火锅吃到十点，回来路上又堵车，今天开会差点睡着。对了，我真正想问的是，赵远什么时候还我钱？",
            ("loan",),
        ),
        (
            "noisy",
            "最近一到周末就想去公园散步，天气也好，朋友还约我看电影。不过我其实想知道启明总的皮卡是什么颜色？",
            ("boss car",),
        ),
        ("noisy", "外卖越来越贵了。早上的咖啡也涨价了，地铁上人挤人。木工课是周几上？", ("course",)),
    ),
    (
        ("simple", "谭慧的狗叫什么名字？", ("neighbour dog",)),
        ("simple", "去伊春是为了看什么花？", ("trip",)),
        ("simple", "降压药什么时候吃？", ("medicine",)),
        ("conditional", "教我二胡的老师住在哪里？", ("teacher", "teacher home")),
        ("conditional", "对门邻居周一去做什么？", ("neighbour", "neighbour time")),
        ("conditional", "弟弟的女朋友送了他什么？", ("brother girl", "brother gift")),
        ("compound", "顾老师的儿子做什么工作？另外，房租每月少多少？", ("teacher son", "rent")),
        ("compound", "折叠车修一下要多少钱，此外那本《植物名录》是哪一年的？", ("bike", "book")),
        ("compound", "梁乐学的是什么专业以及苏棠在学校哪个部门？", ("brother", "brother girl")),
        (
            "noisy",
            "刚在超市排队排了半小时，买了面条和水果，回家发现忘了买牛奶。请问修表铺哪天关门？",
            ("neighbour time",),
        ),
        (
            "noisy",
            "我妈昨天打电话说老家下雨，院子里的菜长得好，还问我什么时候回去。我想问的是怀表原来是谁的？",
            ("brother gift",),
        ),
        (
            "noisy",
            "同事推荐的餐厅一般般。朋友聚会又改期了，健身卡也快到期。顾老师退休前在哪儿？",
            ("teacher",),
        ),
    ),
    (
        ("simple", "陆川的双胞胎叫什么？", ("colleague child",)),
        ("simple", "魏冬的新号码尾数是多少？", ("friend phone",)),
        ("simple", "我对什么水果过敏？", ("allergy",)),
        ("conditional", "小姨动过什么手术？", ("aunt", "aunt illness")),
        ("conditional", "烧瓷的发小损失了多少只盏？", ("friend", "friend kiln")),
        ("conditional", "从测绘院来的同事报了什么比赛？", ("colleague", "colleague run")),
        ("compound", "小姨和姨父怎么认识的？另外，爸的手表要等多久？", ("aunt marry", "watch")),
        ("compound", "注会还差哪一门，还有窗台现在种的是什么？", ("exam", "plant")),
        ("compound", "何蔓在哪里上班以及魏冬在哪儿烧瓷？", ("aunt", "friend")),
        (
            "noisy",
            "这周加班三天，周六还要陪朋友逛商场，给孩子买礼物，晚饭随便吃了碗面。说正事，陆川跑的是多少公里？",
            ("colleague run",),
        ),
        (
            "noisy",
            "今天电影院人好多，爆米花也不好吃，回家看了会儿小说。我真正想问的是让我看哭的纪录片讲什么？",
            ("film",),
        ),
        ("noisy", "公园的花开了。同学约我吃饭，地铁坐过了站。小姨的疤在哪儿？", ("aunt illness",)),
    ),
)

_PEOPLE = "老周 小林 阿芳 大刘 晓雯 建国 丽华 小马 阿强 佳怡 老吴 小宋 明辉 玉兰 小唐 阿珍".split()
_PLACES = (
    "公园 商场 电影院 地铁站 菜市场 健身房 咖啡馆 图书馆 银行 医院 剧院 河边 餐厅 超市 火车站 学校".split()
)
_DISHES = "火锅 面条 饺子 烤鱼 米粉 沙拉 馄饨 蛋糕 奶茶 烧烤 寿司 豆浆".split()
_DOINGS = "开会 散步 看电影 买水果 排队 跑步 拍照 取快递 看展览 练字 修电脑 听音乐 加班 搬东西".split()
_WHEN = "今天 昨天 周末 早上 下午 晚上 周三 前天 中午 上周".split()
_SAID = (
    "{when}和{person}在{place}吃了{dish}，味道还行。",
    "{when}在{place}碰到{person}，聊了几句工作。",
    "{person}约我{when}去{place}{doing}。",
    "{when}一直在{doing}，累得不想动。",
    "{place}门口新开了一家卖{dish}的店，{person}说不错。",
    "{person}的生日快到了，想送个礼物。",
    "{when}给{person}打电话，她说在{place}{doing}。",
    "{when}下雨，没去成{place}，在家做了{dish}。",
    "{person}说孩子{when}考试，考得一般。",
    "老师{when}让我们去{place}{doing}。",
    "{person}借了我的充电器，{when}还没还。",
    "{when}去{place}{doing}，花了不少钱。",
)


def messages(number: int) -> Iterator[tuple[str, str]]:
    """Yield the messages of a diary in their order, with their names; the made-up ones are the same on every run."""
    draw = random.Random(number)  # noqa: S311 - made-up words, not a secret
    told = [*TOLD[number].items(), *((f"other {at}", _said(draw)) for at in range(DISTRACTORS))]
    draw.shuffle(told)
    yield from told


def _said(draw: random.Random) -> str:
    return draw.choice(_SAID).format(
        when=draw.choice(_WHEN),
        person=draw.choice(_PEOPLE),
        place=draw.choice(_PLACES),
        dish=draw.choice(_DISHES),
        doing=draw.choice(_DOINGS),
    )
