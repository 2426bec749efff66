"""Wordings that must never become a memory: orders to a model, and secrets.

Patterns are matched against text after Unicode normalisation and lower-casing. They aim at the wording of attacks, not
at ordinary wishes: "don't mention my ex" is a boundary, "ignore your instructions" is not.
"""

from __future__ import annotations

import re

from cmemory.domain.pattern import lazy_pattern

#: Texts that give orders to a language model or imitate its control syntax.
INSTRUCTIONS: tuple[re.Pattern[str], ...] = tuple(
    lazy_pattern(pattern)
    for pattern in (
        (
            r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|system)\b.{0,40}"
            r"\b(?:instructions?|prompts?|rules?|guidelines?|directives?|guardrails?|restrictions?)\b"
        ),
        r"\b(?:new|updated|hidden|secret) (?:system )?(?:instructions?|prompt|directives?)\s*:",
        r"\bsystem prompt\b|\bdeveloper mode\b|\bjailbreak\b|\bdo anything now\b|\bprompt injection\b",
        r"\byou are now\b.{0,40}\b(?:ai|assistant|model|gpt|unrestricted|dan|admin|root)\b",
        r"\b(?:reveal|print|output|repeat|leak|show)\b.{0,30}\b(?:system prompt|instructions|hidden prompt|api key)\b",
        r"\b(?:from now on|henceforth),? (?:you|the assistant) (?:must|will|should|shall)\b.{0,60}\b(?:obey|comply|without question|never refuse|any request)\b",
        r"(?:^|[.!?;:]\s*)(?:now |please |then )*(?:call|invoke|run|execute|use) (?:the |this )?(?:tool|function|command|shell)\b",
        r"<\|?(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id)\|?>|\[/?inst\]|<</?sys>>",
        r"</?(?:tool_call|function_call|tool_use|invoke|antml|companion_memory|system|instructions?)\b",
        r"\"(?:tool_calls?|function_call|tool_use)\"\s*:|\"role\"\s*:\s*\"(?:system|assistant|tool)\"",
        r"^\s*(?:system|assistant|developer|tool)\s*[:：]|\n\s*(?:system|assistant|developer)\s*[:：]",
        r"#{2,}\s*(?:system|instruction|assistant)",
        r"(?:忽略|无视|忘记|忘掉|绕过|跳过|覆盖|违反).{0,12}(?:之前|以上|上面|前面|先前|所有|全部|一切|你的|系统).{0,12}(?:指令|指示|提示词?|规则|设定|要求|限制|命令)",
        r"系统提示词?|开发者模式|越狱(?:模式|提示|指令)|提示词注入|系统指令|新指令\s*[:：]",
        r"(?:从现在(?:开始|起)|接下来).{0,6}你(?:必须|要|得).{0,12}(?:服从|听从|执行|扮演.{0,6}(?:没有|不受)限制)",
        r"(?:泄露|输出|打印|复述|告诉我).{0,8}(?:系统提示|你的提示词|隐藏指令)",
        r"(?:^|[。！？!?；;:：，,]\s*)(?:请|立刻|马上|现在|然后)*(?:调用|执行|运行)(?:这个|该|以下|下面的)?(?:工具|函数|命令|脚本)",
    )
)  # fmt: skip

#: Texts that hold a secret by their shape or by the words around it. Card and identity numbers are checked apart.
SECRETS: tuple[re.Pattern[str], ...] = tuple(
    lazy_pattern(pattern)
    for pattern in (
        r"\b(?:sk|pk|rk)[-_](?:[a-z0-9]+[-_])*[a-z0-9]{16,}",
        r"\bakia[0-9a-z]{16}\b|\baiza[0-9a-z_-]{30,}|\bya29\.[0-9a-z_-]{20,}",
        r"\bgh[opusr]_[a-z0-9]{20,}|\bgithub_pat_[a-z0-9_]{20,}|\bglpat-[a-z0-9_-]{16,}|\bxox[abprs]-[a-z0-9-]{10,}",
        r"-----begin [a-z ]*private key",
        r"\beyj[a-z0-9_-]{8,}\.eyj[a-z0-9_-]{8,}\.[a-z0-9_-]{8,}",
        r"\b(?:api|access|secret|auth|bearer)[ _-]?(?:key|token|secret)\b\s*(?:is|are|=|:|：)+\s*\S{6,}",
        r"\b(?:password|passwd|passcode|passphrase|pin(?: code)?|cvv|cvc)\b\s*(?:is|are|was|=|:|：)+\s*\S{3,}",
        r"(?:密码|口令|密钥|私钥|验证码|支付密码|取款密码)\s*(?:是|为|改成|改为|设成|=|:|：)+\s*\S{3,}",
        r"[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@",
    )
)

#: Runs of digits that may be a bank card, with the separators people type.
CARD_NUMBER = lazy_pattern(r"(?<![0-9])[0-9](?:[ -]?[0-9]){12,18}(?![0-9])")

#: A resident identity number of mainland China: 17 digits and a check character.
IDENTITY_NUMBER = lazy_pattern(r"(?<![0-9])[1-9][0-9]{16}[0-9x](?![0-9a-z])")


def _any_of(*words: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(map(re.escape, words)))


#: One of these stands in whatever `INSTRUCTIONS` finds, so that most texts need not be searched by each of them.
INSTRUCTION_MARKS = _any_of(
    *("ignore", "disregard", "forget", "override", "bypass"),
    *(
        "instruction",
        "prompt",
        "directive",
        "developer",
        "jailbreak",
        "do anything now",
        "you are now",
        "api key",
    ),
    *("from now on", "henceforth", "tool", "function", "command", "shell"),
    *("<", "inst]", '"', "system", "assistant", "##"),
    *("忽略", "无视", "忘记", "忘掉", "绕过", "跳过", "覆盖", "违反"),
    *("系统", "开发者模式", "越狱", "提示词", "指令", "从现在", "接下来"),
    *("泄露", "输出", "打印", "复述", "告诉我", "调用", "执行", "运行"),
)

#: And one of these in whatever `SECRETS` finds.
SECRET_MARKS = _any_of(
    *("sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "akia", "aiza", "ya29."),
    *("gho_", "ghp_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox"),
    *("private key", "eyj", "key", "token", "secret"),
    *("password", "passwd", "passcode", "passphrase", "pin", "cvv", "cvc"),
    *("密码", "口令", "密钥", "私钥", "验证码", "://"),
)
