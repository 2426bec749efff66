"""Chinese words around a statement: what opens it, what closes it, what softens it."""

from __future__ import annotations

from cmemory.domain.lexicon.zh_table import words

#: What may stand before a statement without changing it.
OPENINGS = words(
    "你好 您好 你好啊 你好呀 嗨 哈喽 哈啰 嘿 喂 hi Hi hello Hello hey 早 早安 早上好 中午好 下午好 "
    "晚上好 晚安 大家好 在吗 其实 对了 话说 另外 还有 然后 而且 并且 不过 "
    "但是 但 可是 因为 因此 所以 嗯 嗯嗯 嗯呐 恩 哦 噢 啊 呃 额 哈哈 哈哈哈 嘿嘿 嘻嘻 哎 唉 诶 欸 那 "
    "那个 那就 就是 是的 是啊 对 对啊 对呀 没错 好的 好 好吧 好呀 当然 "
    "当然啦 说起来 顺便说一下 顺便说下 顺便 顺带一提 告诉你 和你说 跟你说 跟你说一下 说实话 老实说 "
    "实话说 坦白说 讲真 真的 我想说 我跟你说 我告诉你 先自我介绍一下 "
    "自我介绍一下 自我介绍下 介绍一下 补充一下 更正一下 纠正一下 首先 其次 最后 第一 第二 记住 "
    "请记住 你记住 你要记住 请你记住 要记住 一定要记住 麻烦记住 记得 请记得 你要记得 别忘了 不要忘了 "
    "请别忘了 帮我记住 请帮我记住 帮我记下 帮我记一下 记一下 你记一下 同时 此外 "
    "除此之外 除了这些 初次见面 第一次聊天 谢谢 谢谢你 毕竟 反正 总之 不瞒你说 实际上 事实上 "
    "目前来说 没有 不是 不对 哦对了 啊对了 对不起 抱歉"
)

#: How the companion is addressed.
VOCATIVES = words("朋友 亲爱的 亲 宝贝 宝 老朋友 我的朋友 AI伴侣 我的AI伴侣 小助手 助手 AI")

#: What may stand before a request that is meant to last.
POLITE = words(
    "请 请你 麻烦 麻烦你 拜托 拜托你 希望你 希望 我希望 我希望你 我想让你 我要你 以后 今后 往后 "
    "从现在开始 从今天起 从今以后 之后 平时 你 您 你以后 以后你 以后请 请以后 "
    "能不能 可不可以 能否 可否 "
    "聊天时 聊天的时候 跟我聊天的时候 跟我聊天时 和我聊天的时候 和我说话的时候 跟我说话的时候 "
    "跟我说话时 对话时 就 都 也 还请 最好 尽量 记得 一律 统一 全部 只 可以 能 需要你"
)

#: Particles that close a statement.
PARTICLES = "了的呢啊呀哦噢哈啦嘛吧喔哟呗耶哒滴捏哇诶"

#: By what a wish asks for consent.
CONSENT = words("吗 么 不 好吗 好不好 行吗 行不行 可以吗 可不可以 成吗")

#: What a clause without a subject begins with.
PREDICATE_OPENINGS = words(
    "叫 是 在 住 今年 最近 现在 目前 平时 每 喜欢 爱 想 打算 正在 刚 也 还 又 都 就 会 要 做 养 有 "
    "没 不 来自 毕业 工作 学 准备 希望 很 非常 特别 超级 比较 有点 有时 "
    "从 讨厌 一般 通常 经常 周末 一直 已经 快 老家 名字 职业 性格 平常 除了 因为 所以 对 跟 和 比 能 "
    "可以 家在 家住 目标 爱好 晚上 早上 下班 以前 之前 明天 下周 这周 今天 昨天 再 "
    "最 更 真的 尤其 比如 主要 大概 差不多 属 姓 单身 常 看 听 写 读 练 跑 吃 喝 帮 给 把 被 让 去 "
    "回 到 出生 说 讲 聊 认识 谢谢 感谢 高兴 开心 请 别 等 母语 擅长 热爱"
)

#: Words that only point: no value may begin with them.
POINTERS = words(
    "你 您 他 她 它 这 那 哪 什么 其他 别的 里面 其中 上面 下面 之前 之后 自己的 大家 咱 我们 如此 "
    "一切 东西 事情 的"
)
