"""Chinese words for the people and animals in somebody's life, and for names."""

from __future__ import annotations

from cmemory.domain.lexicon.zh_table import tokens, words

#: Relation word → token of ``person.relation_label``.
RELATIONS = tokens(
    ("parent", "爸妈 父母 妈妈 母亲 老妈 妈 爸爸 父亲 老爸 爸 继父 继母 养父 养母"),
    ("child", "儿子 女儿 闺女 大儿子 小儿子 大女儿 小女儿 孩子 宝宝 娃 小孩"),
    (
        "sibling",
        (
            "哥哥 姐姐 弟弟 妹妹 哥 姐 弟 妹 大哥 二哥 三哥 大姐 二姐 三姐 亲哥 亲姐 亲弟弟 亲妹妹 亲弟 "
            "亲妹 双胞胎哥哥 双胞胎姐姐 双胞胎弟弟 双胞胎妹妹"
        ),
    ),
    ("spouse", "老公 丈夫 老婆 妻子 太太 媳妇 爱人 先生"),
    ("partner", "男朋友 女朋友 男友 女友 未婚夫 未婚妻 对象 伴侣"),
    ("ex_partner", "前任 前男友 前女友 前夫 前妻"),
    ("best_friend", "闺蜜 最好的朋友 死党 铁哥们"),
    ("friend", "好朋友 好友 朋友 发小 哥们"),
    ("colleague", "同事"),
    ("manager", "老板 上司 领导 主管 组长"),
    ("report", "下属 徒弟"),
    ("therapist", "心理咨询师 咨询师 心理医生"),
    (
        "pet",
        (
            "猫 狗 猫咪 狗狗 小猫 小狗 猫猫 橘猫 布偶猫 英短 美短 暹罗猫 金毛 泰迪 柯基 哈士奇 柴犬 边牧 "
            "德国牧羊犬 拉布拉多 萨摩耶 博美 比熊 法斗 "
            "兔子 仓鼠 鹦鹉 乌龟 宠物 龙猫 荷兰猪 刺猬 金鱼 守宫"
        ),
    ),
    (
        "other",
        (
            "爷爷 奶奶 外公 外婆 姥姥 姥爷 叔叔 伯伯 舅舅 舅妈 阿姨 姑姑 姑妈 姨妈 姨 小姨 大伯 表哥 "
            "表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹 侄子 侄女 "
            "外甥 外甥女 婆婆 公公 岳父 岳母 嫂子 姐夫 妹夫 孙子 孙女 室友 舍友 同学 同桌 邻居 房东 "
            "导师 班主任"
        ),
    ),
)

#: Words too broad to introduce a person: everybody has friends and colleagues.
BROAD = frozenset(
    words(
        "朋友 好朋友 好友 哥们 同事 同学 邻居 老板 上司 领导 主管 组长 房东 导师 班主任 对象 宝宝 "
        "先生 爱人 前任 徒弟 下属 宠物"
    )
)

#: What follows a relation with the first character of a family name, and is no name.
NOT_BY_NAME = words(
    "应该 单位 常常 当时 当年 高中 高三 高二 高一 成天 曾经 毕业 计划 明明 安排 安心 连续 连夜 车间 武术 方便 时常 "
    "时不时 和 都"
)

#: Relation word → the word under which the same person is kept.
SAME_PERSON = tokens(
    ("父母", "爸妈"),
    ("妈妈", "妈 母亲 老妈"),
    ("爸爸", "爸 父亲 老爸"),
    ("哥哥", "哥 亲哥"),
    ("姐姐", "姐 亲姐"),
    ("弟弟", "弟 亲弟 亲弟弟"),
    ("妹妹", "妹 亲妹 亲妹妹"),
    ("男朋友", "男友"),
    ("女朋友", "女友"),
    ("老公", "丈夫"),
    ("老婆", "妻子 太太 媳妇"),
    ("女儿", "闺女"),
    ("孩子", "娃 小孩"),
    ("猫", "猫咪 猫猫 小猫"),
    ("狗", "狗狗 小狗"),
    ("老板", "上司"),
    ("室友", "舍友"),
    ("咨询师", "心理医生 心理咨询师"),
)

#: Family names that open a Chinese personal name, the hundred most frequent and the common compound ones.
SURNAMES = words(
    "欧阳 上官 司马 诸葛 司徒 慕容 皇甫 尉迟 夏侯 令狐 "
    "王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱 高 林 何 郭 马 罗 梁 宋 郑 谢 韩 唐 冯 于 董 萧 程 曹 "
    "袁 邓 许 傅 沈 曾 彭 吕 苏 卢 蒋 蔡 贾 丁 "
    "魏 薛 叶 阎 余 潘 杜 戴 夏 钟 汪 田 任 姜 范 方 石 姚 谭 廖 邹 熊 金 陆 郝 孔 白 崔 康 毛 邱 秦 "
    "江 史 顾 侯 邵 孟 龙 万 段 雷 钱 汤 尹 黎 易 "
    "常 武 乔 贺 赖 龚 文 庞 樊 兰 殷 施 陶 洪 翟 安 颜 倪 严 牛 温 芦 季 俞 章 鲁 葛 伍 韦 申 尤 毕 "
    "聂 丛 焦 向 柳 邢 路 岳 齐 梅 莫 庄 辛 管 祝 "
    "左 涂 谷 祁 时 舒 耿 牟 卜 詹 关 苗 凌 费 纪 靳 盛 童 欧 甄 项 曲 成 游 阳 裴 席 卫 查 屈 鲍 位 "
    "覃 霍 翁 隋 植 甘 景 薄 单 包 司 柏 宁 柯 阮 桂 "
    "闵 解 强 柴 华 车 冉 房 边 辜 吉 饶 刁 瞿 戚 丘 古 米 池 滕 晋 苑 邬 臧 畅 宫 来 嵺 苟 全 褚 廉 "
    "简 娄 盖 符 奚 木 穆 党 燕 郎 邸 冀 谈 姬 屠 连 "
    "郜 晏 栾 郁 商 蒙 计 喻 揭 窦 迟 宇 敖 糜 鄢 冷 卓 花 仇 艾 蓝 都 巩 稽 井 练 仲 乐 虞 卞 封 竺 "
    "冼 原 官 衣 楚 佟 栗 匡 宗 应 台 巫 鞠 僧 桑 荆 "
    "谌 银 扬 明 沙 薄 伏 岑 习 胥 保 和 蔺"
)

#: Endings that make a word for a kind of person, not a name.
KIND_ENDINGS = "人员生师座者家工手控党痴迷族星型民长客士粉友男女狗猫马妈爸的货咖哈吧迷虫鬼精霸渣届级班系院部"

#: Who gives somebody a nickname.
COMPANY = words("朋友 同学 同事 家人 闺蜜 室友 舍友 哥们 孩子 学生 邻居")

#: What others tell somebody to be; said with 叫我 it is no name.
CALMING = words("安静 冷静 小心 老实 高兴 别 去 来 放心 小声 常 多 多多 慢慢 好好 快快 时时 天天 乖乖")

#: What follows 叫 when something is ordered, somebody is called over or somebody is made to do something.
NOT_NAMES = words(
    "外卖 滴滴 出租 快递 代驾 救护 服务员 保安 警察 上 醒 住 苦 停 好 来 过 到 得 起 去 吃 回 别 做 "
    "加班 看 帮 等 快 早 赶 干 怎 如何 出 下 一声 一下 "
    "一个 写 给 开 跑 学 练 睡 打 买 洗 走 喝 玩 先 继续 什么 啥 人 车 大家 大声 嚣 卖 骂 板 号 价 "
    "叫 绝 屈 真 有 名 作 做 本名 错 全名 名字 别 爸 妈 "
    "老师 朋友 同事 医生 难 闹 唤 嚷 喊 板 早点 赶紧"
)
