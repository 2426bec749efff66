"""Chinese words by which the adaptive window reads what was said; all are looked for anywhere in a text."""

from __future__ import annotations

#: Words that make a text weigh more.
SIGNALS = tuple("记住 必须 要求 决定 错误 修复 路径 截止 约束".split())

POSITIVE = tuple("谢谢 感谢 很好 喜欢 开心 成功 可以".split())
NEGATIVE = tuple("糟糕 讨厌 生气 难过 失败 坏了 错误 烦 崩溃".split())
URGENT = tuple("紧急 马上 立刻 截止 必须".split())

#: Where an order about the answer begins; what follows is no part of the matter.
ORDERS = tuple(
    "只输出 只回复 仅输出 仅回复 不要猜测 不要复述 不要总结 不猜测 不调用工具 不搜索网页 不读写文件 不执行命令".split()
)
#: The orders that part a question from how it should be answered.
ONLY_ORDERS = tuple("只回复 只输出 仅回复 仅输出".split())

#: Words that say nothing of what a text is about; each may have a 请 before it.
FILLERS = tuple("回溯 回忆 回顾 记住 告诉我 根据 最早的 之前的 前面的".split())
#: The same, in the order in which they are taken out.
CLICHES = ("必须保留的虚构约定", "虚构约定", "约定", "只输出相应字段")
QUESTION_WORDS = tuple("是什么 是多少 在哪里 什么 哪个 如何 输出 相应字段 不猜测".split())

#: What "received" may be said of.
RECEIVABLE = tuple("约定 包装要求 发货要求".split())
#: Whole texts that only acknowledge.
RECEIVED = tuple("好 好的 好吧 好呀 嗯 嗯嗯 哦 行 行吧 可以 收到 知道了 明白 明白了 谢谢 谢谢你".split())

#: How a request for something remembered begins.
ASKING = tuple("回溯 回忆 回顾 告诉我 查询".split())
#: A beginning that asks only together with one of the words after it.
ASKING_TOGETHER = tuple("我们 之前 最早".split())
ASKED = tuple("什么 哪个 是多少 在哪里".split())

#: Words of what is not settled.
UNSETTLED_ORIGINALLY = tuple("也许 可能 或许 以后 稍后 考虑 计划 打算".split())
#: The same without those that also name settled things: 计划 and 考虑 count only where somebody does it.
UNSETTLED = tuple("也许 或许 以后 稍后 打算".split())
PLANNERS = tuple("我 我们 咱们 在 正在 正 还在 想 会".split())
PLANNING = tuple("计划 考虑".split())

#: Words that ask for what held earlier. The original also took any 之前 for one.
FORMERLY = tuple("历史 最初 原来 曾经 旧值 改前 从什么改".split())
FORMERLY_ORIGINALLY = (*FORMERLY, "之前")
#: 之前 asks for what held earlier only where it qualifies something.
FORMERLY_QUALIFYING = ("之前的", "之前住", "之前是", "之前叫", "之前用")
