"""Chinese words for what people wait for, owe, do regularly and strive for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cmemory.domain.lexicon.zh_table import words

#: What can be waited for: the last word of it.
AWAITED = words(
    "结果 通知 通知书 报告 成绩 分数 签证 offer Offer OFFER 快递 包裹 回复 答复 回信 消息 回音 审批 "
    "审核 批复 电话 录取 名额 排期 手术 放榜 出分 判决 退款 理赔 护照 合同 "
    "反馈 面试 offer 录用 调档 成绩单 报价 入职 拆线 交房 转正 派件 批准 绿卡 居留卡 身份证 检查结果 "
    "体检结果 化验单"
)

#: What is due or takes place on a day.
EVENTS = words(
    "面试 考试 航班 答辩 比赛 演讲 手术 体检 复查 汇报 复试 笔试 开庭 婚礼 期末考 期中考 高考 考研 雅思 "
    "托福 路演 演出 述职 预产期 值班 出差 面签 期末考试 资格考试 驾考 "
    "科目一 科目二 科目三 入职 搬家 开学 毕业典礼 家长会"
)

#: Verbs that say by when something must be done.
DUE = "交稿|交付|提交|上交|交|截止|截稿|到期|完成|答辩|上线|开题|due|到deadline|发布|考|还清|还款"

#: Small chores: asking after them can hurt nobody.
CHORES = (
    "给\\w{1,4}浇水|浇花|取快递|拿快递|寄快递|取包裹|倒垃圾|还书|买菜|买牛奶|洗衣服|晒被子|换床单|打扫房间|打扫卫生|"
    "收拾房间|理发|剪头发|洗车|加油|遛狗|买猫粮|买狗粮|修自行车|修灯|换灯泡|取干洗|买礼物|订蛋糕"
)

#: Beginnings of acts that can be owed.
TASKS = (
    "交(?!往|流|友|代)|缴|还(?=[^没不是要])|买|订|预约|预定|报名|填|写|做完|寄|取|退(?!休)|修|打电话|"
    "给\\w{1,8}(?:打|发|回|买|寄|写|送)|发(?!现|烧|呆)|回(?:邮件|信|消息|复|\\w{1,6}(?:邮件|消息|"
    "信息|微信))|办|续|"
    "提交|洗衣|洗碗|洗车|收拾|整理|打扫|充值|充话费|换(?!成)|签(?:字|合同)|联系|报销|申请|复习|准备|"
    "带\\w{1,4}(?:去|看|打)|去(?:医院|银行|邮局|派出所|体检|看牙|看医生|复查|办|取|拿|交|接)|"
    "接(?:孩子|娃|儿子|女儿)|浇|倒垃圾|喂|打疫苗|吃药|改(?:论文|简历|方案|稿)|拿(?:快递|药|报告)"
)

#: Verbs that close a task once they are done, said after what they are done to.
FINISHED = words("交 提交 上交 缴 还 买 订 填 写 寄 取 拿 退 修 发 办 洗 收拾 整理 打扫 签 浇 喂 倒 报销 续")

#: Those after which nothing is due any more.
HANDED_IN = frozenset(words("交 提交 上交 缴 还 发"))

#: Other words under which a habit may have been kept.
VARIANTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "跑步": words("去跑步 晨跑 夜跑 慢跑 跑"),
        "健身": words("去健身 去健身房 锻炼"),
        "游泳": words("去游泳"),
        "练瑜伽": words("做瑜伽 瑜伽 上瑜伽课"),
        "喝酒": words("喝点酒 小酌"),
        "抽烟": words("吸烟"),
    }
)

#: What somebody is weaned from → the habits that end with it.
VICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "烟": words("抽烟 吸烟"),
        "酒": words("喝酒"),
        "咖啡": words("喝咖啡"),
        "奶茶": words("喝奶茶"),
        "糖": words("吃糖 吃甜食"),
        "可乐": words("喝可乐"),
    }
)

#: Verbs of habits; the first characters of an act that can be repeated.
HABITS = (
    "跑|慢跑|夜跑|晨跑|散步|走路|步行|快走|练|做(?:饭|瑜伽|运动|操|早餐|手工|家务|梦|冥想|拉伸|面包|"
    "蛋糕|菜)|自己做饭|自己带饭|写|读|看(?!到|见|着|起来|上去)|听(?!到|见|说)|"
    "打(?!算|扰|破|碎)|踢|游泳|爬|骑|喝|吃(?!力|惊|亏)|睡(?:到|午觉|前|懒觉|个午觉)|早起|早睡|冥想|"
    "瑜伽|健身|锻炼|运动|弹|唱|跳|画|学(?!到|会)|背|遛|浇|买|逛|煮|泡|"
    "给\\w{1,6}(?:做饭|写信|讲故事)|[跟和]\\w{1,6}(?:吃饭|打球|跑步)|去|回(?:家|老家|爸妈家|父母家)|"
    "记(?:日记|账|手账)|"
    "拍(?:照|视频)|钓鱼|下棋|复习|熬夜|加班|午睡|刷(?:题|短视频|抖音|剧)|洗(?:澡|头)|拉伸|撸铁|跳绳|"
    "深蹲|祷告|抄经|站桩|太极|养花|种花|种菜|钓|滑|攀岩|登山|露营|徒步|起床|睡觉|上\\w{1,6}课|"
    "自己带|陪\\w{1,6}(?:散步|玩|写作业|读书|睡)|接送|打扫|整理|收拾|喂"
)

#: What can be strived for without saying that it is a goal.
AIMS = (
    "减肥|瘦\\w{0,6}|增肌|戒烟|戒酒|戒糖|戒奶茶|戒手机|考研|考公|考编|考博|读研|读博|留学|"
    "出国\\w{0,4}|买房|买车|存钱|攒钱|换工作|跳槽|转行|创业|辞职\\w{0,6}|考驾照|学(?!会)\\w{1,10}|"
    "跑\\w{0,3}马拉松|开\\w{0,4}(?:店|公司|工作室|咖啡馆|餐厅)|写\\w{0,3}(?:书|小说)|"
    "拿到?\\w{1,10}证|考(?!试)\\w{1,8}证?|早睡\\w{0,4}|提高\\w{1,12}|提升\\w{1,12}|改善\\w{1,12}|"
    "攒\\w{1,10}|存(?!钱罐)\\w{1,10}"
)

#: What people do at present for weeks on end, after 在.
PURSUITS = (
    "准备(?!好|去|出门|睡|吃|晚饭|晚餐|午饭|早饭|早餐|做饭)|备考|备战|备孕|筹备|找(?:工作|实习|房子|"
    "兼职|新工作|对象)|减肥|减脂|增肌|戒(?:烟|酒|糖|奶茶|咖啡)|攒钱|存钱|复习(?!一)|"
    "规律作息|写(?:一本|一部|一篇)?(?:论文|毕业论文|毕设|小说|书|剧本|毕业设计|简历|博士论文)|"
    "学习?(?!校|生|会|到)|自学|练习?|考(?:驾照|研|公|证|雅思|托福)|装修|带娃|创业|"
    "做(?:毕设|毕业设计|毕业论文|康复|治疗|心理咨询|一个项目|项目)|康复|健身|读(?:博|"
    "研)(?![一二三究])|办(?:签证|移民|离职|离婚|退休)|养(?:病|伤|胎)|研究(?!生|所|了)|实习|休(?:产假|"
    "病假|年假)"
)
