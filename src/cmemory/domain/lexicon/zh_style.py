"""Chinese words for how replies should be: language, length, tone, layout."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cmemory.domain.lexicon.zh_table import words

#: Languages and dialects.
LANGUAGES = words(
    "中文 汉语 普通话 国语 英文 英语 日文 日语 韩文 韩语 法语 法文 德语 德文 西班牙语 西班牙文 西语 "
    "俄语 俄文 意大利语 葡萄牙语 阿拉伯语 泰语 越南语 印尼语 马来语 "
    "荷兰语 瑞典语 土耳其语 拉丁语 粤语 广东话 白话 闽南语 闽南话 潮汕话 客家话 上海话 四川话 东北话 "
    "温州话 手语 文言文 繁体中文 简体中文 繁体 简体"
)

#: Names of a language for writing and speaking → the one under which the reply language is kept.
REPLY_LANGUAGE: Mapping[str, str] = MappingProxyType(
    {
        "汉语": "中文",
        "国语": "中文",
        "英语": "英文",
        "日语": "日文",
        "韩语": "韩文",
        "法文": "法语",
        "德文": "德语",
        "繁体": "繁体中文",
        "简体": "简体中文",
    }
)

_LENGTH, _TONE, _BLUNT, _LAYOUT = (
    "communication.verbosity",
    "communication.tone",
    "advice.directness",
    "communication.format",
)


def _table(*rows: tuple[str, str, str]) -> Mapping[str, tuple[str, str]]:
    return MappingProxyType(
        {word: (predicate, token) for predicate, token, text in rows for word in words(text)}
    )


#: Words for a wish → predicate and token.
WANTED = _table(
    (_LENGTH, "very_short", "一句话 一两句话 一两句 两三句话 两三句 极简 惜字如金"),
    (
        _LENGTH,
        "short",
        "简短 简洁明了 简明清晰 简洁 精简 简练 精炼 简单明了 言简意赅 短小精悍 简明扼要 简明 扼要 简要 短",
    ),
    (_LENGTH, "medium", "长短适中 不长不短"),
    (_LENGTH, "long", "详细 详尽 细致 长"),
    (_BLUNT, "very_direct", "一针见血 毫不留情 犀利"),
    (_BLUNT, "direct", "直接 直白 坦率 坦诚 直率 直截了当 开门见山 干脆"),
    (_BLUNT, "gentle", "委婉 婉转 含蓄"),
    (_TONE, "gentle", "温柔 温和 柔和 轻柔"),
    (_TONE, "warm", "温暖 亲切 热情 暖心"),
    (_TONE, "playful", "活泼 俏皮 幽默 风趣 搞笑 轻松 调皮"),
    (_TONE, "formal", "正式 严肃"),
    (_TONE, "neutral", "客观 中立 冷静 平静"),
    (_LAYOUT, "plain", "纯文本"),
    (_LAYOUT, "bullets", "分点 列点 分条 要点式 列表"),
    (_LAYOUT, "prose", "段落 连贯的段落 整段"),
    ("communication.interaction_style", "structured", "有条理 结构化 条理清晰 条理分明"),
)

#: Words for what should be less → predicate and token.
UNWANTED = _table(
    (_LENGTH, "short", "长 啰嗦 罗嗦 冗长 废话 繁琐 长篇大论 详细 多字 话痨 唠叨"),
    (_BLUNT, "direct", "委婉 绕弯子 绕弯 绕圈子 拐弯抹角 含蓄"),
    (_BLUNT, "gentle", "直接 直白 生硬 犀利 凶 严厉 强硬"),
    (_LAYOUT, "plain", "markdown Markdown MD md 星号 加粗"),
    (_LAYOUT, "prose", "列表 分点 列点 条目 一二三四 分条 项目符号 列清单"),
)

#: What a style is a style of.
REPLIES = words(
    "回答 回复 回应 答复 回话 回我 回 说话 讲话 说 讲 对话 聊天 交流 沟通 表达 语气 口吻 口气 风格 "
    "说话方式 沟通方式 聊天方式 交流方式 表达方式 回答方式 措辞 话 答案 消息 "
    "说话风格 聊天风格 语言风格 回复风格 回答风格"
)
