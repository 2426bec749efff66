"""Chinese words for work, study and the roles people have."""

from __future__ import annotations

from cmemory.domain.lexicon.zh_table import words

#: Words that end the name of a job.
JOBS = words(
    "老师 教师 讲师 教授 医生 大夫 牙医 兽医 护士 护士长 药剂师 药师 工程师 程序员 程序猿 码农 "
    "设计师 建筑师 律师 会计 会计师 审计师 分析师 咨询师 规划师 "
    "摄影师 摄像师 化妆师 理发师 美发师 厨师 面点师 咖啡师 调酒师 甜品师 瑜伽老师 教练 翻译 编辑 "
    "记者 作家 编剧 导演 演员 歌手 模特 画家 插画师 漫画家 "
    "音乐人 主播 博主 UP主 up主 主持人 公务员 警察 民警 消防员 军人 士兵 法官 检察官 司机 飞行员 "
    "空姐 空乘 乘务员 机长 快递员 外卖员 骑手 保安 保洁 保姆 "
    "月嫂 服务员 收银员 出纳 出纳员 店员 店长 店主 销售 销售员 客服 推销员 业务员 采购 采购员 文员 "
    "行政 前台 秘书 助理 人事 HR hr 猎头 经理 产品经理 项目经理 "
    "客户经理 总监 总经理 主管 CEO CTO CFO 创始人 创业者 投资人 投资经理 交易员 研究员 科学家 "
    "科研人员 博士后 图书管理员 管理员 仓管 工人 电工 木工 焊工 "
    "钳工 技工 技师 技术员 维修工 农民 渔民 养殖户 个体户 自由职业者 自由撰稿人 撰稿人 运营 产品 "
    "策划 文案 测试 测试员 前端 后端 运维 数据分析师 架构师 "
    "运动员 裁判 社工 幼师 班主任 辅导员 心理咨询师 营养师 康复师 法医 导游 房产中介 中介 保险代理 "
    "志愿者 全职妈妈 全职太太 家庭主妇 上班族 打工人 公司职员 "
    "职员 自媒体人 网文作者 作者 写手 译者 配音演员 剪辑师 动画师 原画师 游戏策划 美术 调音师 "
    "钢琴老师 实习生 管培生 邮递员 列车员 海员 水手 地质队员"
)

#: Words that say what somebody studies as.
STUDENTS = words(
    "学生 大学生 研究生 硕士生 博士生 硕士 博士 本科生 高中生 初中生 中学生 小学生 留学生 医学生 "
    "考研党 大一学生 大二学生 大三学生 大四学生 大一新生 "
    "大一 大二 大三 大四 研一 研二 研三 高一 高二 高三 初一 初二 初三"
)

#: Roles in a family, a team or a community.
ROLES = words(
    "妈妈 母亲 爸爸 父亲 单亲妈妈 单亲爸爸 新手妈妈 新手爸爸 宝妈 奶爸 独生女 独生子 独生子女 班长 "
    "学委 组长 团队负责人 负责人 志愿者 家里的老大 家里老大 "
    "长女 长子 家里的老二 家里的老小 党员 队长 社长 学生会主席 课代表 双胞胎妈妈"
)

#: Fields in which one works, as in 做设计.
FIELDS = words(
    "前端 后端 开发 设计 销售 运营 产品 产品经理 测试 算法 数据分析 数据 市场 营销 会计 财务 人事 "
    "行政 HR IT 教育 金融 投资 外贸 电商 自媒体 新媒体 直播 翻译 "
    "编辑 餐饮 咨询 审计 律师 科研 研发 客服 采购 物流 建筑 装修 保险 房产 房地产 医美 护理 程序 "
    "策划 美术 插画 动画 剪辑 后期 摄影 培训 机器人 人工智能 AI "
    "芯片 嵌入式 硬件 软件 互联网 媒体 公关 广告 法务 供应链 医药 家教 美容 美甲 跨境 游戏 运维 安卓 "
    "iOS 微商 代购 快递 外卖 装潢 法律 心理咨询 社工"
)

#: Where people are without working for it.
NO_EMPLOYERS = words(
    "家 家里 办公室 外面 外地 图书馆 咖啡馆 咖啡厅 这 那 哪 一起 公司 单位 一家公司 当前公司 "
    "目前公司 路上 线上 网上 国外 国内 认真 努力 拼命 这里 那里 这边 "
    "那边 现在 同一家公司 周末 晚上 白天 深夜 找 床上 电脑前 他 她 你"
)

#: Traits that a person is and stays: signs, types, ways of life.
TRAITS = words(
    "白羊座 金牛座 双子座 巨蟹座 狮子座 处女座 天秤座 天蝎座 射手座 摩羯座 水瓶座 双鱼座 素食主义者 "
    "素食者 左撇子 夜猫子 社恐 路痴 色盲 色弱 单身 已婚 未婚 离异 "
    "恐高 女生 男生 女性 男性 女的 男的 同性恋 基督徒 佛教徒 穆斯林 无神论者 乐天派 完美主义者 丁克 "
    "双胞胎 北漂 不婚主义者 慢性子 急性子 INFP INFJ INTP INTJ ISFP ISFJ ISTP "
    "ISTJ ENFP ENFJ ENTP ENTJ ESFP ESFJ ESTP ESTJ infp infj intp intj isfp isfj istp istj enfp enfj "
    "entp entj esfp esfj estp estj I人 E人 i人 e人 "
    "A型血 B型血 O型血 AB型血 过敏体质"
)

#: Lasting conditions of health.
CONDITIONS = words(
    "糖尿病 高血压 低血压 低血糖 高血脂 哮喘 鼻炎 过敏性鼻炎 胃炎 胃病 甲亢 甲减 抑郁症 焦虑症 双相 "
    "双相情感障碍 强迫症 多动症 ADHD 社交恐惧症 社恐 失眠症 偏头痛 "
    "湿疹 荨麻疹 类风湿 痛风 心脏病 脂肪肝 贫血 癫痫 近视 散光 色盲 色弱 腰椎间盘突出 颈椎病 多囊 "
    "乙肝 密集恐惧症 幽闭恐惧症 恐高症 洁癖 选择困难症 夜盲症"
)
