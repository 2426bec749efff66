"""Chinese words and characters that carry no topic of their own."""

from __future__ import annotations

#: Characters that only serve grammar. A pair of two of them is no topic.
FUNCTION_CHARACTERS = frozenset(
    "的了着过得已然吗呢吧啊呀么"  # aspect and mood
    "我你他她它这那"  # pronouns and pointers
    "是有在要会去来到能可从对把被为"  # being, moving, disposing
    "和与及并而但还又更也就都不很最总"  # linking and degree
    "今天近点半"  # time
    "气"
    "说想看聊觉"  # talking and sensing
    "用户"
    "一二三四五个"  # small numerals and the classifier
)

#: Pairs that stand in almost any sentence. Sharing one of them says nothing about the topic.
GENERIC_PAIRS = frozenset(
    # asking and pointing
    "什么 怎么 怎样 为什 哪里 哪儿 哪个 多少 几个 这样 那样 这么 那么 这个 那个 这些 那些 这里 那里 这边 那边 这次 那次 "
    # people in general
    "我们 你们 他们 她们 它们 咱们 大家 自己 别人 有人 人家 "
    # having, being, being able
    "没有 没什 可以 可能 应该 需要 能够 必须 不能 不要 不会 不是 不想 不用 不太 不过 不知 知道 觉得 感觉 认为 希望 想要 打算 "
    "喜欢 开始 继续 已经 正在 一直 总是 "
    # linking
    "还是 还有 就是 但是 因为 所以 如果 虽然 然后 而且 或者 以及 其实 其他 另外 除了 关于 "
    # degree
    "非常 特别 比较 真的 真是 有点 一点 一下 一些 一样 一起 一个 好像 最好 这种 那种 "
    # time in general
    "现在 最近 以前 以后 之前 之后 后来 刚才 刚刚 时候 有时 平时 今年 去年 明年 明天 昨天 前天 后天 今晚 昨晚 每天 每次 上次 下次 "
    # things in general
    "东西 事情 问题 意思 样子 地方 时间 是不 的时 的话 的人 的事".split()
)
