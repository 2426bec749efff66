"""Chinese words by which a statement shows what it is, and a message what it asks for (`cmemory.domain.gates.release`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from cmemory.domain.lexicon.zh_places import PLACES as PLACES
from cmemory.domain.pattern import lazy_pattern


def _table(text: str) -> Mapping[str, tuple[str, ...]]:
    rows = (line.split(":") for line in text.strip().splitlines())
    return MappingProxyType({label.strip(): tuple(words.split()) for label, words in rows})


def _any(words: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(words.split()))


#: What a text is about. Whom it is about and when stand elsewhere: they say little. No word here is only part of another
#: that means something else: 酒店 is no drink, 趣味 no taste, 肌肉 no meat, 书房 no book, 计划 no picture.
FIELDS = _table(
    """
    food: 吃 餐 饭 菜 食 早点 点心 甜点 甜品 蛋糕 巧克力 火锅 外卖 零食 小吃 烹饪 下厨 料理 口味 味道 味蕾 酒(?!店) 茶 咖啡 奶 饮料 饮品 喝 汤 水果 海鲜 肉(?!麻) 蔬 辣 甜食 厨艺 烤 烘焙 营养 蛋白 糖 早茶 奶茶 果汁 自助 粥 食材 烧烤 早饭 午饭 晚饭 夜宵 下馆子 面包 牛肉 羊肉 猪肉 鸡肉 鱼肉 乳制品 米饭 面条 饺子 汤圆 粽子 月饼 酒水 啤酒 红酒 白酒 奶制品 坚果 香菜 葱 蒜 湘菜 川菜 粤菜 日料 西餐 素食 酒吧 茶馆 食谱 菜单
    travel: 旅行 旅游 旅途 旅程 行程 出差 度假 景点 自驾 酒店 民宿 住宿 出行 行李 游玩 之行 一日游 出去玩 出国 机票 打卡 攻略 路线 张家界 云南 西藏 假期 冒险 漫步 踏青 国庆 五一 端午 海岛 古镇 徒步 露营 签证 护照 邮轮 出境 旅店 客栈 三天 行李箱
    outing: 周末 有趣的事 好玩 去哪 逛 约会 聚会 出门 去处 活动 景点 展会 聚餐 哪家 地方 场所 商圈 夜市 纪念日 下馆子 餐厅 饭店 咖啡馆 酒吧 演唱会 电影院 游乐园 动物园 夜生活
    outdoors: 户外 雪山 攀登 徒步 露营 野餐 爬山 登山 郊 自然 公园 海边 草坪 骑行 钓鱼 森林 山区 踏青 营地 农场 散步 瑜伽
    sport: 自由泳 蛙泳 运动 健身 跑步 慢跑 跑鞋 锻炼 羽毛球 篮球 足球 游泳 瑜伽 攀岩 滑雪 冲浪 跳伞 球馆 减肥 潜水 器材 增肌 极限 冒险 刺激 打球 乒乓球 网球 撸铁 马拉松 夜跑 长跑 骑车 太极 舞蹈 跳舞 蹦极 拳击 健身房 减脂 塑形
    home: 家居 装修 装饰 客厅 卧室 厨房 阳台 墙 地板 布置 软装 家具 收纳 窗帘 床品 家里 家中 家用 房子 新家 房间 清洁 打扫 家务 住房 社区 租房 买房 香薰 空间 沙发 椅 桌子 书桌 床 灯 餐具 家电 加湿器 空调 冰箱 洗衣机 厨具 地毯 壁纸 乔迁 装潢 家居用品
    clothes: 衣 穿 外套 夹克 服装 鞋 裙 裤 帽 背包 首饰 搭配 面料 时尚 皮革 羊毛 靴 袜 手套 围巾 毛衣 卫衣 大衣 羽绒服 西装 礼服 睡衣 内衣 泳衣
    beauty: 护肤 化妆 彩妆 粉底 眼影 洗发 护发 香水 香氛 美容 妆 口红 面膜 防晒 胡须 皮肤 遮瑕 面霜 精华 牙膏 沐浴露 身体乳 美甲 眉 发型 理发
    music: 音乐 歌 乐队 乐器 吉他 钢琴 唱片 演唱会 旋律 说唱 音频 爵士 京剧 专辑 琴 民谣 摇滚 歌单 唱歌 古筝 小提琴 尤克里里
    screen: 电影 片单 电视剧 综艺 导演 动画 悬疑片 喜剧片 科幻片 观影 影片 看片 追剧 娱乐 恐怖片 动作片 文艺片 纪录片 爱情片 战争片 剧集 韩剧 美剧 番剧 动漫 短视频
    reading: 读书 看书 什么书 本书 好书 书单 小说 书籍 阅读 绘本 故事 历史书 文学 诗集 读物
    games: 游戏 桌游 谜题 棋 手游 玩法 剧本杀 电竞
    pets: 猫 狗 宠物 柯基 仓鼠 小狗 水族 遛 小型犬 鹦鹉 狗粮 猫粮 猫砂 毛球 绝育 驱虫
    plants: 绿植 多肉 植物 花草 盆栽 养花 绿意 园艺
    learning: 学习 自学 课程 学编程 日语 英语 考试 培训 教程 学画 学吉他 数据科学 新知 知识 备考 考研 考证 背单词 网课 作业 复习 论文
    work: 工作 上班 同事 公司 汇报 职场 面试 办公 团建 年会 部门 会议
    devices: 手机 电脑 笔记本 显示器 耳机 数码 科技产品 相机 软件 智能 键盘 鼠标 平板 手表 音箱 路由器 充电器 电视 投影 冰箱
    money: 预算 支出 花费 开销 省钱 价格 理财 工资 存钱 便宜
    transport: 车(?!间) 一辆 地铁 飞机 火车 高铁 开车 交通 租车 租用 车型 通勤 驾车 航班 燃油车 公交 公共交通 打车 停车 电动车 骑车 高速 汽车 驾照
    gift: 礼物 送什么 送点 惊喜 伴手礼 贺礼 生日 回礼
    party: 聚会 聚餐 派对 生日会 年会 团建 年夜饭 宴 庆祝 婚礼 周年 纪念日 过节 春节 中秋 节日
    rest: 放松 睡 休息 助眠 冥想 解压 焦虑 独处 消遣 午休 休闲 小憩 疲惫 压力 失眠 睡眠 睡不着 入睡 熬夜
    culture: 博物馆 展览 看展 美术馆 历史 文化 艺术 戏剧 话剧 古迹
    photo: 拍照 摄影 美照 镜头 拍摄
    code: 代码 编程 程序 脚本 函数 数据库 前端 后端 报错
    craft: 手工 手作 陶艺 DIY 编织 木工 雕塑 画画 绘画 书法 创意
    """
)

#: What a limit is about; and the fields in which a limit of that kind may be met stand in `release`.
LIMIT_KINDS = _table(
    """
    crowd: 人多 拥挤 嘈杂 排队 排长队 喧闹 噪音 吵 人山人海 大型 成千上万
    access: 台阶 步行 换乘 早起 预订 轮椅 走太多 走远路 爬楼 晕车 爬山 久站 晕船 腿脚 开车
    body: 坐飞机 坐船 恐高 高空 高处 深水 恐水 游泳 飞行 空中 水上 膝盖 旧伤 腰 心脏 幽闭 怕黑 怕冷 跑跳 高速 腰椎 久坐 关节 高血压 心慌 哮喘 怀孕 血压 视力 眩晕
    air: 花粉 日晒 高温 湿度 雾霾 紫外线 暴晒 怕冷 怕热 寒冷 潮湿 干燥
    dust: 灰尘 尘螨 霉 掉毛
    substance: 香精 香料 气味 皮革 塑料 合成材料 图案 羽绒 甲醛 亮片 珠光 动物制品 动物制成 动物来源 动物衍生 纯素 无虐 色素 香味 壁纸 酒精 荧光剂 漆 金属 毛絮 化纤
    medium: 看视频 视频 联网 订阅 背诵 在线 屏幕 语音 网课 直播 短视频 电子书 字幕 恐怖片 暴力 血腥
    money: 预算 价格 不超过 成本高 以内 太贵 低价 预算紧 只能花 省钱 负担不起 贵 大牌
    venue: 夜生活 酒吧 俱乐部 派对 赌场 夜店
    food: 不吃 不喝 素食 吃素 戒 清真 忌口 无麸质 麸质 乳糖 乳糜泻 生酮 咖啡因 海鲜 辣 贝类 鸡蛋 花生 坚果 植物性饮食 纯素食 碳水 鱼 血糖 糖尿病 高血压 少盐 痛风 甜食 乳制品 牛肉 羊肉 猪肉 香菜 油炸 生冷 冰的 胃不好 控糖 减脂 信佛 喝酒 酒精 冷饮 内脏
    """
)

#: Words that draw a line. What is only not loved (不太喜欢) draws none.
LIMITS = _any(
    "过敏 不吃 不喝 不摄入 避开 吃素 素食主义 不能 不想 不会游泳 不喜欢 不爱 讨厌 避免 拒绝 受不了 "
    "忍不了 反感 厌恶 反对 恐高 恐水 恐惧症 害怕 怕(?!老) 不耐受 戒 严格 坚决 只听 几乎只 只选 "
    "从不 绝不 禁忌 忌口 清真 旧伤 不好，不能 不超过 有限 头疼 会拉肚子 不舒服 敏感肌 偏头痛 高血压 "
    "糖尿病 血糖高 痛风 晕车 晕船 色盲 色弱 哮喘 怀孕 孕期 关节炎 胃不好 腰不好 轮椅 左撇子 预算紧 "
    "只能花 信佛 控糖 戒糖 减脂 少盐 不耐 不会(?:开车|骑车|游泳|喝酒|做饭) "
    "(?:闻|听|见|受|吃)不得 不接受 决不 非常偏好 不感兴趣"
)

#: Bears on food unless it says on what else.
ALLERGY = lazy_pattern("过敏|忌口|不耐")


#: How somebody spends time that is their own.
OWN_TIME = _table(
    """
    thrill: 挑战 刺激 极限 肾上腺素 突破自我 突破自己 攀岩 滑雪 冲浪 跳伞 惊险 心跳加速 跑酷 蹦极 速度感 冒险 赛车 过山车 惊悚
    night: 夜晚 深夜 夜色 夜生活 熬夜 半夜 夜里 夜猫子 夜店 酒吧 凌晨 追剧到
    depth: 钻研 推敲 专业类 复杂 策略 谜题 严谨 烧脑 竞技 难题 深度 专业 学术 硬核 研究
    crowds: 热闹 人多 聚会 派对 一大群 社交 有说有笑 大型项目 多人协作 便利的城市 人多热闹 轰趴 聚餐 呼朋唤友 应酬
    solitude: 一个人 独自 独处 安静的环境 自己琢磨 一人 自己待着 独来独往
    hands: 亲手 动手 双手 手工 捏塑 手作 雕塑 木工 编织 拼装 DIY 捏
    training: 力量训练 大汗 健身房 锻炼计划 体育锻炼 自驾路线 跑远路 撸铁 健身 马拉松 打卡锻炼 增肌
    stage: 乐队 演出 舞台 节奏感强烈
    leanness: 轻装 精简 效率 快速解决 顺其自然 随遇而安 松弛
    """
)

#: What somebody looks for in things of many kinds.
CRITERIA = _table(
    """
    healthy: 健康 均衡 清爽 少油 营养 养生 有益身心 清淡 有机 低糖 低脂 少盐 控糖
    familiar: 熟悉 家常 经典 传统口味 地道 老字号 怀旧 传统
    quality: 品质 品味 质感 舒适 精致 高端 考究 高级 讲究品质 品牌 好一点
    novel: 新鲜 新奇 好奇 新颖 尝鲜 多样 丰富 别具一格 独特 不同的可能 没试过 不一样 尝试 发掘 探索 小众
    orderly: 条理 井井有条 有序 整洁 分门别类 计划 提前安排 按部就班 整理 归位 收纳 规律 归类 周密
    simple: 简洁 极简 删繁就简 朴素
    easy: 简单 快手 省事
    nature: 自然 绿意 阳光 风景 山水 大自然 森林 植物 花草
    ritual: 仪式感 氛围 浪漫 情调 心意 惊喜 温馨 节日感
    practical: 实用 便利 耐用 物尽其用 性价比 耐穿 环保
    calm: 安静 舒缓 静谧 冥想 平和 放松 安宁 自我安抚 柔和 宁静 慢节奏 平静 清净 安稳
    culture: 历史 文化 艺术 博物馆 展览 古迹 文物 戏剧 人文
    look: 镜头 建筑 拍照 摄影 线条
    grooming: 护肤 妆容 形象 美妆
    afoot: 脚步丈量 双脚丈量 骑上单车 步行 公共交通 散步 骑行 慢慢走
    people: 搭建沟通 与人交流 结识 熟络 互动 聊天 交朋友 陪伴 分享
    """
)

#: Marks of a taste that is lightly held, or that is excused with a reason.
HEDGES = _any("觉得 (?<!但)偶尔 并不 不太 更多是 随性 有时 不刻意 看心情 不执着 主要体现")

#: A clause that begins so gives a reason or takes something back; the statement stands without it.
SUBORDINATE = lazy_pattern(
    "(?:，|,|。|；)(?:但|也|不过|觉得|因为|由于|认为|这样|尤其|让|能让|偶尔|更多|整体|主要|享受|总|可|虽然)[^，,。；]*"
    "|^(?:由于|因为)[^，,。；]*[，,]"
)

#: Likings that are none of the above.
TASTES = _any(
    "喜欢 偏爱 最爱 热爱 钟爱 爱吃 爱喝 爱听 爱看 爱玩 爱逛 爱干净 爱整洁 爱好 习惯 享受 偏好 乐于 "
    "钟情 感兴趣 讲究 注重 收藏 追求 期待 向往 亲近感"
)

MANNER = lazy_pattern(
    "(?:回答|回复|跟我说话|和我说话|说话时|答复).{0,14}(?:简短|简洁|短|长|中文|英文|繁体|列表|表格|表情|口语|直接|详细|一步步|文言|粤语)"
    "|(?:请|以后|都)?(?:叫我|称呼我|不要叫)"
)
#: At the head of a statement, after whose it is.
OPINION = lazy_pattern(
    "^(?:用户|她|他|我|[\u4e00-\u9fff]{2,3}?)?(?:一直|始终|总是|向来|很)?"
    "(?:认为|坚信|坚持认为|觉得|笃信|主张|断定|不屑|看不起|相信)"
)
OWN_VIEW = lazy_pattern(
    "我(?:对.{1,10})?的(?:看法|观点|立场|意见|态度)|我怎么(?:看|想)|我会怎么(?:看|想)|我一贯的(?:看法|观点)|从我的(?:立场|角度)"
)
PRIVATE = _table(
    """
    loss: 去世 忌日 葬礼 流产 癌 走了以后 遗物 离世 过世 离开人世 葬
    love: 前男友 前女友 前夫 前妻 离婚 出轨 分手 暗恋 离过婚 失恋 劈腿
    mind: 抑郁 焦虑症 自残 心理医生 双相 心理咨询 自杀 惊恐 精神科
    body: 性病 不孕 怀不上 艾滋 性生活 痔疮
    debt: 欠了 欠债 负债 最低还款 催收 网贷 破产 裁员 欠朋友 欠款 赌
    dispute: 起诉 官司 冷战 断绝关系 家暴 打架
    diary: 日记里 瞒着 不想让家人知道 没告诉
    """
)

#: Who speaks of themselves.
SELF = lazy_pattern("[我咱俺]")

#: The person wants to hear of nothing that was known of their liking.
EXCLUSION = lazy_pattern(
    "(?:不用|别|不要|先别|无需)(?:管|考虑|参考|按照?)我(?:的|之前的|以前的)?(?:口味|习惯|喜好|偏好|爱好|情况|要求)?"
    "|(?:忘掉|忽略|抛开|撇开|忘了)我(?:的|之前的|以前的)?(?:所有|全部)?(?:口味|习惯|喜好|偏好|爱好|品味)"
)
OWN_TASTE = lazy_pattern(
    "适合我(?!们|家|爸|妈|的(?:孩子|父母))|(?:我的|我)(?:口味|风格|品味|喜好|偏好)|合我|我(?:可能|应该)?会喜欢|我(?:最)?(?:喜欢|爱)的?(?:[吃喝看听用玩])?的?(?:是)?什么|我喜欢的|记得我(?:最)?(?:喜欢|爱)"
)

#: Requests that need nobody's taste: they want a text, a translation, a program, a fact, a sum, or words for a talk.
CLOSED = lazy_pattern(
    "翻译|译成|翻成|区别|原理|公式|定义|什么意思|润色|校对|改写|代码|报错|空指针|[Pp]ython|函数|算一下|计算"
    "|(?:写|起草|拟|草拟)(?:一)?[封份篇段个条首]|帮我写|写(?:个|一下)"
    "|怎么(?:跟|和|对|向).{1,8}(?:说|开口|解释|谈|沟通)|(?:如何|怎么)(?:告诉|拒绝|婉拒)"
)
#: Those that want a fact, unless they also ask for advice.
FACTUAL = lazy_pattern(
    "是什么|为什么|是谁|谁(?:发明|写|画|建)|解释|介绍一下|方程式|查一下|哪一?年|哪天|哪个更"
    "|多(?:高|远|长|重|深)|结构|天气|会下雨|(?:用|由)什么.{0,6}(?:做|组成)"
)
#: What asks for advice or a plan, outright or with a question; everything else is talk.
ADVICE = lazy_pattern(
    "推荐|建议|适合|有没有(?!空|时间|事)|有什么|有哪些|哪些|去哪|哪里好|哪家|哪款|哪种|灵感|主意|攻略|如何|可以(?:做|尝试|体验|玩)"
    "|(?:(?<!是)(?<!为)什么(?!时候|意思)|哪儿|哪里|哪个|怎么(?!样了|回事|了|办))[^。！]*[?？]"
    "|帮[我忙](?:列|找|策划|规划|推荐|挑|选|想|出|看看|安排)|^(?:给.{1,6})?(?:挑|选|买|列|规划|安排|照我|按我)"
    "|(?:想|打算|计划|准备)[^。！]*(?:买|学|去|要|吃|找|看|带|换|体验|送|请|给|点)[^。！]*[?？]"
    "|(?:送|选|挑|安排|规划|布置)[^。！]*[?？]"
)
#: What the person is at present working toward.
PURSUIT = lazy_pattern("备考|备赛|备战|(?:正在|在|开始|想)(?:学|练|准备|训练|写|做|考)|初学|新手|入门")

#: Others, by their tie to the person; one text may name several.
KIN = _table(
    """
    mother: 妈妈 我妈 母亲 老妈 爸妈 父母
    father: 爸爸 我爸 父亲 老爸 爸妈 父母
    daughter: 女儿 闺女
    son: 儿子
    child: 孩子 小朋友 宝宝 小孩
    husband: 老公 丈夫
    wife: 老婆 妻子 太太
    boyfriend: 男朋友 男友
    girlfriend: 女朋友 女友
    partner: 伴侣 对象 爱人
    grandfather: 爷爷 外公 姥爷
    grandmother: 奶奶 外婆 姥姥
    brother: 弟弟 哥哥 表弟 表哥 堂弟 堂哥
    sister: 妹妹 姐姐 表妹 表姐 堂妹 堂姐
    uncle: 侄子 外甥 叔叔 舅舅 姑父
    aunt: 侄女 外甥女 阿姨 姑姑 姨妈 舅妈
    best_friend: 最好的朋友 闺蜜
    friend: 朋友
    flatmate: 室友 舍友
    colleague: 同事
    boss: 上司 老板 领导 主管
    client: 客户
    neighbour: 邻居
    teacher: 老师
    landlord: 房东
    classmate: 同学
    """
)
#: A statement that begins so is about that person.
ABOUT = lazy_pattern("^(?:用户|我|她|他)?(?:家)?的?(?P<kin>{kin})(?!的)")
#: Who bears a role.
TIE = lazy_pattern("(?P<role>[\u4e00-\u9fff]{2,5}?)(?:是|叫)(?P<name>[\u4e00-\u9fff]{2,3})(?:[。，,]|$)")

#: What depends on what.
DEPENDS = lazy_pattern("依赖|取决于|归.{1,6}管")

#: Undertakings that are named by their kind: "my thesis" can only be the one that is known.
UNDERTAKINGS = tuple(
    "论文 毕设 婚礼 小说 播客 项目 作品集 专辑 纪录片 花园 演讲 幻灯片 剧本 乐队 博客 公众号 网店 工作室 展览 研究 书稿 简历 课题".split()
)
MINE = (
    "我(?:们)?(?:的|这(?:个|本|篇|场)|正?在(?:写|做|办)的|[^，。？！的]{{0,3}}的)?(?:毕业|新)?{word}(?!论坛)"
)

#: A meal or an evening with others.
SHARED_TABLE = lazy_pattern(
    "聚餐|聚会|派对|请.{0,6}(?:吃|来家)|(?:大家|朋友|同学|同事|室友|家人|客人|全家).{0,8}(?:吃|饭|菜|餐|喝|外卖|零食)|来家里吃|火锅局|年夜饭|桌游夜"
)

#: The affair of somebody else: the person asks for them and takes no part.
FOR_OTHERS = lazy_pattern(
    "(?:我|帮我|替我|给我)(?:的)?(?:{kin})(?:[^，。？！]{{0,12}})[，,]?(?:他|她|他们|她们)(?:想|该|要|应该|需要)"
    "|帮我?(?:的)?(?:{kin})(?:规划|安排|列|找|选|挑|给)|(?:{kin})(?:想|要)找人|(?:{kin})给(?:他|她)的"
)
#: Who goes along is no third party.
TOGETHER = lazy_pattern("一起|我们|和我|带|陪|请|我也|跟我")

#: Behind a role, before what is told of them: 老板赵总喜欢…
BEARER = "(?:{kin})(?P<name>[\u4e00-\u9fff]{{2,3}}?)(?=是|对|喜欢|最|不|爱|讨厌|怕|在|有|也|会|[，。])"
#: What goes with a place that is gone to.
GOING = lazy_pattern("[去玩游到逛待]|出差")
#: At the head of a statement, before what is told of them.
NAMED = lazy_pattern(
    "^(?P<name>[\u4e00-\u9fff]{2,3}?)(?=是|对|喜欢|最|不|爱|答应|讨厌|怕|收藏|在|有|养|受不了|想|住|每|讲究|注重|偏爱|习惯|收集|会|从|去|刚|经常|害怕|拒绝)"
)
#: What a name may begin with when it is no family name.
FAMILIAR = "小阿老"
#: Beginnings that look like a name and are none.
NO_NAMES = frozenset(
    "用户 周末 平时 小组 小孩 小区 老家 老板 老师 家里 公司 常常 往往 天天 每每 明明 从不 都不 平日 时常 能不 高中 应该 安静 习惯".split()
)

#: Words of time and other words that are shared by chance.
COMMON = frozenset(
    "周一 周二 周三 周四 周五 周六 周日 周末 星期 上周 下周 这周 本周 月份 年前 上个 个月 下个 早上 中午 下午 晚上 夜晚 清晨 一天 两天 几天 用户 平时 日常 "
    "喜欢 偏爱 生活 自己 习惯 有什 什么 推荐 建议 适合 安排 选择 活动 简单 方式 方法 不能 怎么 可以 结果".split()
)
