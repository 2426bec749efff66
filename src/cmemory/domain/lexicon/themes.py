"""Themes of everyday life, so that who asks for pets finds the turtle.

A theme has words that name it and words that belong to it, in English and Chinese; a word may belong to several. The
lists are made by hand, for life in general: they are no thesaurus, and nobody's vocabulary is complete in them. Chinese
words of more than two characters are told by their first two.
"""

from __future__ import annotations

# A line that ends in a colon names a theme; what belongs to it stands below.
_TABLE = """
pet animal 宠物 动物:
    dog puppy pup cat kitten kitty hamster rabbit bunny parrot budgie canary goldfish fish turtle tortoise lizard
    snake gecko guinea horse pony bird chick duck goat sheep cow pig wildlife zoo vet leash fur paw breed snail
    spider frog dolphin whale elephant bear fox wolf deer
    猫 狗 小猫 小狗 猫咪 狗狗 仓鼠 兔子 鹦鹉 乌龟 金鱼 养鱼 小鸟 蜥蜴 刺猬 动物园 兽医 遛狗 猫粮
family relative parent kin 家人 亲人 亲戚 家庭 父母 家里:
    mother mom mum mommy mama father dad daddy papa brother sister sibling twin son daughter kid child baby toddler
    husband wife grandma grandpa grandmother grandfather granny nana cousin uncle aunt niece nephew stepmother
    stepfather motherhood fatherhood
    妈妈 爸爸 母亲 父亲 哥哥 姐姐 弟弟 妹妹 儿子 女儿 孩子 丈夫 妻子 老公 老婆 爷爷 奶奶 外公 外婆 姥姥 姥爷 表哥
    表姐 表弟 表妹 堂哥 叔叔 阿姨 舅舅 姑姑 侄子 侄女 宝宝
relationship partner romance marital 感情 恋爱 婚姻 对象 伴侣:
    husband wife boyfriend girlfriend fiance fiancee spouse single marry marriage wedding engaged engagement
    proposal honeymoon divorce breakup date crush anniversary romantic love bride groom
    男友 女友 男朋友 女朋友 结婚 订婚 求婚 婚礼 离婚 分手 单身 约会 暗恋 蜜月 相亲 老公 老婆
friend friendship social 朋友 友谊 社交:
    buddy pal mate bestie neighbor neighbour roommate classmate colleague coworker teammate acquaintance gang group
    hangout
    闺蜜 哥们 同学 同事 邻居 室友 发小 好友 队友 网友
job work career profession occupation employment business professional 工作 职业 事业 上班 岗位 行业:
    teacher nurse doctor engineer lawyer chef designer writer artist manager boss office promotion interview hired
    fired client customer salary internship intern shift startup store shop studio company employer colleague resume
    freelance project deadline counselor barista entrepreneur officer accountant programmer developer journalist
    firefighter pilot scientist banker
    老师 护士 医生 工程师 律师 厨师 设计 作家 经理 老板 公司 办公室 升职 面试 录用 辞职 客户 工资 实习 创业 项目
    加班 同事 跳槽 入职 会计 程序员 记者
education school study degree subject major academic 学习 教育 学校 专业 学位 读书:
    university college class course exam test professor teacher lecture thesis homework assignment campus semester
    tutor graduate graduation diploma certificate scholarship student classroom essay research learn lesson workshop
    training seminar
    大学 学院 课程 考试 教授 老师 论文 作业 校园 学期 毕业 证书 奖学金 学生 考研 上课 补习 培训 讲座 研究
food dish meal cuisine eat snack 食物 美食 饭菜 口味 吃饭 零食:
    pizza pasta sushi soup salad cake cookie bread rice chicken beef fish seafood noodle burger sandwich taco curry
    dessert chocolate cheese fruit vegetable vegan vegetarian breakfast lunch dinner brunch restaurant spicy
    delicious tasty flavor dumpling pie steak pancake croissant ice cream yogurt egg shrimp
    披萨 面条 寿司 沙拉 蛋糕 饼干 面包 米饭 鸡肉 牛肉 海鲜 汉堡 火锅 烧烤 甜点 巧克力 水果 蔬菜 素食 早餐 午餐 晚餐
    早饭 午饭 晚饭 餐厅 饺子 点心 冰淇淋 豆腐 咖喱
cook recipe bake kitchen 做饭 烹饪 烘焙 菜谱 厨房:
    oven roast grill fry dough ingredient chef boil stew bread cake cookie dinner meal dish spice sauce seasoning
    barbecue
    烤箱 面团 食材 调料 下厨 食谱 炖汤 炒菜
drink beverage 饮料 喝酒 喝的:
    coffee tea wine beer juice cocktail smoothie milk latte espresso lemonade soda water cafe bar pub whisky
    champagne
    咖啡 茶 喝茶 红酒 啤酒 果汁 奶茶 牛奶 拿铁 可乐 豆浆 酒吧 茶馆
sport exercise workout fitness athletic active train 运动 锻炼 健身 体育:
    football soccer basketball baseball tennis volleyball hockey golf gym yoga pilates run jog marathon sprint swim
    cycle bike ski snowboard surf skate boxing karate taekwondo martial climb weight lifting coach team match league
    score goal stretching aerobics badminton
    足球 篮球 网球 排球 羽毛球 乒乓球 瑜伽 跑步 慢跑 马拉松 游泳 骑车 骑行 滑雪 冲浪 拳击 跆拳道 爬山 教练 比赛 球队
    器械
outdoor nature adventure wilderness 户外 大自然 野外:
    hike camp campfire trail mountain lake river ocean sea beach forest woods park kayak canoe climb fishing tent
    waterfall sunset sunrise stargazing meteor picnic wildlife scenery view cliff canyon desert island
    爬山 徒步 露营 篝火 山顶 湖边 河边 海边 沙滩 森林 公园 划船 钓鱼 帐篷 瀑布 日落 日出 星空 野餐 风景
travel trip vacation journey visit destination tour abroad getaway 旅行 旅游 出游 度假 出差 行程:
    flight fly airport hotel beach island passport visa roadtrip cruise hostel luggage suitcase itinerary tourist
    sightseeing backpack train country city europe asia museum resort explore landmark holiday
    航班 飞机 机场 酒店 海边 海岛 护照 签证 自驾 民宿 行李 景点 导游 高铁 火车 国外 古镇 博物馆
country city place state homeland nationality 国家 城市 地方 家乡 老家:
    germany france italy spain england britain ireland scotland sweden norway denmark finland poland russia ukraine
    greece turkey egypt morocco kenya africa china japan korea india thailand vietnam indonesia australia canada
    mexico brazil argentina chile peru america europe asia london paris rome berlin madrid tokyo boston chicago
    seattle california florida texas hawaii vancouver toronto sydney
    德国 法国 意大利 西班牙 英国 瑞典 挪威 俄罗斯 希腊 土耳其 埃及 日本 韩国 印度 泰国 越南 澳大利亚 加拿大 墨西哥
    巴西 美国 欧洲 北京 上海 广州 深圳 成都 杭州 南京 武汉 西安 重庆 苏州 厦门 云南 四川 台湾 香港
music song musical musician 音乐 歌曲 唱歌:
    guitar piano violin cello drum flute clarinet trumpet saxophone ukulele bass sing singer concert band album
    melody choir lyric tune playlist gig festival rock jazz pop classical rap symphony orchestra artist record
    perform vocal
    吉他 钢琴 小提琴 大提琴 架子鼓 长笛 小号 歌手 演唱会 乐队 专辑 旋律 合唱 歌词 摇滚 爵士 古典 说唱 交响 二胡 古筝
instrument 乐器:
    guitar piano violin cello drum flute clarinet trumpet saxophone ukulele bass harp accordion keyboard harmonica
    banjo mandolin trombone oboe fiddle
    吉他 钢琴 小提琴 大提琴 架子鼓 长笛 小号 二胡 古筝 琵琶 口琴 萨克斯 笛子 手风琴
art artwork creative craft artistic 艺术 画画 手工 创作:
    paint painter draw sketch sculpture sculpt pottery ceramic canvas clay watercolor photography photo mural knit
    crochet sew embroidery design gallery exhibition portrait brush abstract collage origami calligraphy
    illustration bowl
    绘画 油画 素描 水彩 雕塑 陶艺 画布 摄影 拍照 壁画 编织 刺绣 设计 画展 展览 书法 剪纸 插画 国画
book read author literature 读书 看书 阅读 作者:
    novel chapter story poem poetry library bookshop bookstore fantasy fiction nonfiction series writer memoir
    biography page publish manga comic magazine classic bookshelf
    小说 故事 诗歌 图书 书店 奇幻 科幻 散文 传记 作家 漫画 杂志 名著 出版
movie film show tv series watch television 电影 影片 电视 剧集 综艺:
    cinema actor actress episode season trailer scene director screenplay script documentary comedy thriller horror
    drama anime cartoon star character theater
    影院 演员 导演 剧本 纪录片 喜剧 恐怖 动漫 动画 追剧 连续剧 票房
game gaming gamer play 游戏 打游戏:
    chess console xbox playstation nintendo puzzle tournament esports strategy board card level quest multiplayer
    poker dungeon streamer lego
    象棋 围棋 主机 手游 拼图 桌游 麻将 扑克 电竞 副本 关卡 任天堂 联机
hobby interest activity pastime leisure passion enjoy fun 爱好 兴趣 业余 消遣 特长:
    knit garden paint photography dance read hike camp cook bake pottery swim fish collect chess puzzle sew write
    blog yoga run guitar piano sing surf volunteer crafts game travel movie museum
    编织 园艺 画画 摄影 跳舞 看书 阅读 爬山 徒步 露营 做饭 烘焙 陶艺 游泳 钓鱼 收藏 下棋 写作 瑜伽 跑步 吉他 钢琴
    唱歌 书法
performance perform theater dance 表演 演出 舞蹈 跳舞:
    ballet salsa tango waltz contemporary choreography stage recital audition rehearsal actor play musical drama
    audience dancer show crowd comedian magic
    芭蕾 街舞 编舞 舞台 排练 话剧 观众 彩排 登台 相声 魔术
health illness condition medical sick disease 健康 身体 生病 疾病 病情:
    doctor hospital surgery injury injured pain allergy allergic asthma medication medicine therapy diagnosis
    diagnosed diet weight vaccine fever flu cold headache cough ache clinic nurse symptom recover recovery blood
    ankle knee back cancer diabetes checkup emergency ill heart insomnia sleep
    医生 医院 手术 受伤 疼痛 过敏 哮喘 吃药 药 治疗 诊断 体检 发烧 感冒 头疼 咳嗽 住院 血压 康复 失眠 骨折 糖尿病
    门诊
stress destress relax cope calm unwind relaxation therapeutic 压力 放松 减压 缓解 解压:
    meditation meditate yoga therapy therapist breathing soothing peaceful refresh bath massage spa walk nap mindful
    journal rest escape recharge burnout pressure anxiety overwhelmed peace
    冥想 瑜伽 咨询 呼吸 平静 泡澡 按摩 散步 午睡 正念 日记 休息 焦虑 疲惫
feel feeling emotion mood emotional react reaction 感受 心情 情绪 感觉 反应:
    happy sad proud excited anxious nervous scared thankful grateful angry upset lonely thrilled joy fear worry
    disappointed frustrated relieved hopeful awe inspired stressed overwhelmed heartbroken glad cry tears devastated
    content empowered ashamed guilty jealous
    开心 高兴 难过 骄傲 激动 紧张 害怕 感激 生气 孤独 喜悦 担心 失望 沮丧 欣慰 伤心 委屈 焦虑 愧疚 感动 兴奋
home house live apartment residence housing 房子 家居 公寓 住处:
    room kitchen garden furniture rent landlord mortgage move bedroom sofa couch roommate flat renovation neighbor
    backyard yard balcony basement attic decorate lease tenant door window roof sink
    房间 厨房 院子 家具 房租 房东 房贷 搬家 卧室 沙发 室友 装修 阳台 小区 租房 客厅
clothes clothing outfit wear fashion style 衣服 服装 时尚 打扮:
    dress shoe sneaker boots shirt jacket coat hat scarf sweater hoodie jeans skirt pants socks necklace ring
    bracelet earring jewelry bag purse costume makeup glasses tattoo hair
    裙子 鞋子 运动鞋 衬衫 外套 大衣 帽子 围巾 毛衣 卫衣 牛仔裤 裤子 项链 戒指 手链 耳环 首饰 包包 手表 化妆 眼镜
buy purchase shop item shopping gift present product 购物 购买 买东西 礼物:
    store mall price sale order online market discount shoes souvenir antique collect collection deal cheap
    expensive receipt package delivery
    商店 商场 价格 打折 下单 网购 市场 快递 纪念品 优惠 淘宝 便宜 超市
money finance financial budget cost income 钱 财务 预算 花费 收入:
    pay salary debt loan rent save saving invest donate fund cash bank price afford bill tax insurance sponsor
    sponsorship profit stock dollar
    工资 还债 贷款 房租 存钱 投资 捐款 银行 价格 账单 保险 赞助 利润 股票 理财 块钱
car vehicle transport transportation drive 车 汽车 交通 开车:
    bike bicycle motorcycle bus train truck van scooter subway tram taxi boat ship plane ferry jeep engine tire
    garage mechanic license auto
    单车 自行车 摩托 公交 火车 卡车 地铁 出租车 轮船 飞机 发动机 轮胎 车库 修车 驾照 电动车 高铁
event celebration party festival occasion celebrate attend 活动 聚会 庆祝 节日 场合 派对:
    wedding birthday parade concert conference anniversary graduation fair ceremony reunion gala exhibition workshop
    meeting meetup retreat carnival christmas thanksgiving halloween easter holiday picnic gathering speech launch
    opening tournament convention
    婚礼 生日 游行 演唱会 会议 周年 毕业 典礼 展览 讲座 春节 中秋 圣诞 元旦 端午 国庆 聚餐 团建 发布会 开业
volunteer community cause charity charitable 志愿者 公益 慈善 社区 义工:
    shelter donate donation fundraiser nonprofit activist advocate mentor campaign church homeless orphanage rights
    support group youth mentorship drive outreach awareness cleanup help
    捐款 捐赠 募捐 流浪 收容 孤儿 福利 帮扶 环保 义卖 支教 献血
religion religious faith spiritual spirituality belief 宗教 信仰 信教 信佛:
    church temple pray prayer god bible mosque priest pastor blessed cross angel soul worship buddhist christian
    muslim jewish catholic heaven monastery
    教堂 寺庙 祈祷 上帝 圣经 拜佛 上香 牧师 基督 佛教
technology tech device gadget electronic software 科技 技术 设备 电子 软件:
    phone laptop computer app website code coding programming programmer robot camera tablet internet online drone
    headphones keyboard screen data server bug smartphone
    手机 电脑 应用 网站 代码 编程 机器人 相机 平板 网络 无人机 耳机 键盘 屏幕 数据
competition contest award prize win achievement compete 比赛 竞赛 获奖 成就 得奖:
    trophy medal tournament champion championship race winner match final judge score ribbon title victory finalist
    奖杯 奖牌 锦标赛 冠军 亚军 季军 名次 决赛 评委 胜利 参赛 选拔
plant garden flower gardening 植物 花园 种花 园艺:
    rose tulip tree seed basil tomato herb sunflower orchid cactus succulent leaf soil bloom blossom vegetable pot
    lily daisy fern lawn harvest greenhouse
    玫瑰 郁金香 种子 罗勒 番茄 薄荷 向日葵 兰花 仙人掌 多肉 树叶 土壤 盆栽 百合 绿植 浇水 月季
weather season climate 天气 季节 气候:
    rain snow storm sunny wind cloud hot cold winter summer spring autumn fall heatwave hurricane flood temperature
    rainbow fog thunder
    下雨 下雪 暴雨 晴天 刮风 多云 冬天 夏天 春天 秋天 台风 气温 彩虹 降温
goal plan dream ambition aspiration future intend aim resolution 目标 计划 梦想 打算 未来 愿望:
    hope aspire wish someday upcoming become start open launch achieve next
    准备 将来 以后 实现 规划 立志 争取
politics political policy government 政治 政策 政府:
    conservative liberal vote election rights activist democrat republican protest law senator campaign candidate
    mayor council reform equality
    选举 投票 权利 抗议 法律 候选人 改革 平等
problem challenge setback difficulty trouble obstacle struggle hardship issue conflict 困难 挫折 麻烦 挑战 烦恼:
    injury injured accident lost lose broke broken fail failure fear fired breakup hurt crash flood fire stolen
    robbed debt stuck delay cancelled tough hard fight argument quit death died passed
    受伤 事故 丢了 坏了 失败 失业 分手 着火 被偷 欠债 推迟 取消 吵架 去世 裁员
"""


def _read() -> tuple[tuple[str, str], ...]:
    themes: list[tuple[str, str]] = []
    for line in _TABLE.strip().splitlines():
        if line.endswith(":"):
            themes.append((line[:-1], ""))
        else:
            names, members = themes[-1]
            themes[-1] = (names, f"{members} {line.strip()}".strip())
    return tuple(themes)


#: Words that name a theme, and words that belong to it.
THEMES = _read()
