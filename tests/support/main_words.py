# ruff: noqa: E501, RUF001 - markup and sentences stand as a site would send them
"""Sentences and labels in nine languages, of which the labelled pages of the main-content suite are made."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a page in one language is made of."""

    language: str
    title: str
    sentences: tuple[str, ...]
    headings: tuple[str, ...]
    menu: tuple[str, ...]
    teasers: tuple[str, ...]
    remarks: tuple[str, ...]
    cookies: str
    letter: str
    byline: str
    joint: str = " "


ENGLISH = Words(
    language="en",
    title="Harbour towns rethink their sea walls",
    sentences=(
        "The council of the small harbour town voted on Tuesday to raise its sea wall by another forty centimetres.",
        "Engineers had warned for years that the old stones would not hold back a storm like the one of last winter.",
        "“We are not building for the next election, but for our grandchildren,” the mayor told the meeting.",
        "Half of the money comes from a regional fund, which was set up after the floods of the nineties.",
        "Fishermen fear that the works will close the eastern quay during the season, when every day counts.",
        "A model in the town hall shows how the waves would run over the square, the market and the old school.",
        "Three other towns along the coast are waiting for the result before they decide on plans of their own.",
        "Critics say that a wall alone is no answer, because the ground behind it sinks a little more each year.",
        "The first stones are to be laid in spring, provided that no complaint reaches the court before that.",
        "In the meantime, the volunteers fill sandbags every Saturday, and nobody finds that strange any more.",
        "An older study had put the cost at twice the sum, but it counted on granite from a quarry far away.",
        "What happens to the footpath is still open; walkers would like to keep it on top of the new wall.",
    ),
    headings=("What the plans say", "Who pays for it", "The next steps"),
    menu=("Home", "News", "Politics", "Sports", "Culture", "Weather", "About us", "Contact"),
    teasers=(
        "Ferry line gets two electric ships",
        "Why the lighthouse stays dark this week",
        "Ten recipes for the first cold evening",
        "School choir wins a prize in the capital",
    ),
    remarks=(
        "I have lived behind that wall for fifty years and it has never been high enough, so this was about time.",
        "And who is going to pay for the cellars that are under water already? Nobody ever talks about those.",
        "Great article, thank you! One small thing: the old school has been closed since two thousand and nine.",
    ),
    cookies="We and our partners use cookies to store information on your device, to measure how our pages are read and "
    "to show advertisements that fit you. You can change your choice at any time in the settings of your profile.",
    letter="Get the best stories of the week by mail. Free of charge, and you can unsubscribe whenever you like.",
    byline="By Anna Reed, 12 March",
)
GERMAN = Words(
    language="de",
    title="Ein Dorf baut sein Wärmenetz selbst",
    sentences=(
        "Im Februar beschloss die Versammlung, das alte Heizwerk nicht zu flicken, sondern ein eigenes Netz zu bauen.",
        "Achtzig Häuser haben sich angeschlossen, und jede Woche kommen zwei oder drei weitere Anträge hinzu.",
        "„Wir wollten nicht länger warten, bis uns jemand ein Angebot macht“, sagt die Vorsitzende der Genossenschaft.",
        "Die Wärme kommt aus Hackschnitzeln, die im eigenen Wald anfallen und bisher billig verkauft wurden.",
        "Im Sommer reicht eine Fläche von Kollektoren am Ortsrand, um alle Haushalte mit Warmwasser zu versorgen.",
        "Die Leitungen wurden gemeinsam mit dem Glasfaserkabel verlegt, sodass die Straßen nur einmal offen lagen.",
        "Ein Ingenieurbüro aus der Kreisstadt hat geplant, doch vieles haben die Bewohner an Wochenenden selbst getan.",
        "Nicht alle sind überzeugt: Manche fürchten, dass der Preis steigt, sobald die Förderung ausläuft.",
        "Die Bank verlangte Bürgschaften, die am Ende von der Gemeinde und zwölf Familien übernommen wurden.",
        "Inzwischen kommen Besuchergruppen aus halb Europa, um sich den Heizkeller unter der Turnhalle anzusehen.",
        "Die Rechnung des ersten Winters fiel niedriger aus als erwartet, und das lag nicht nur am milden Wetter.",
        "Als Nächstes soll ein Speicher folgen, der die Wärme des Sommers bis in den Dezember hinein aufhebt.",
    ),
    headings=("Woher die Wärme kommt", "Was es kostet", "Wie es weitergeht"),
    menu=("Startseite", "Nachrichten", "Wirtschaft", "Sport", "Kultur", "Reisen", "Impressum", "Kontakt"),
    teasers=(
        "Neue Brücke wird später fertig als geplant",
        "Wo die Pilze in diesem Herbst wachsen",
        "Bäckerei sucht seit Monaten Nachwuchs",
        "Das Freibad bleibt noch zwei Wochen offen",
    ),
    remarks=(
        "Bei uns im Nachbarort hat das leider nicht geklappt, weil zu wenige mitmachen wollten. Sehr schade.",
        "Mich würde interessieren, wie hoch der Anschlusspreis war und ob man später noch einsteigen kann.",
        "Schöner Bericht! Die Kollektoren sieht man von der Autobahn aus, ich habe mich schon gefragt, was das ist.",
    ),
    cookies="Wir und unsere Partner verwenden Cookies, um Inhalte zu messen und Werbung auszuspielen, die zu Ihnen passt. "
    "Ihre Einwilligung können Sie jederzeit in den Einstellungen ändern oder mit Wirkung für die Zukunft widerrufen.",
    letter="Die wichtigsten Themen der Woche als E-Mail. Kostenlos und jederzeit wieder abbestellbar.",
    byline="Von Jonas Weber, 3. Mai",
)
FRENCH = Words(
    language="fr",
    title="La bibliothèque qui prête aussi des outils",
    sentences=(
        "Depuis le mois de janvier, on emprunte une perceuse au même guichet que les romans et les bandes dessinées.",
        "L’idée est venue d’une habitante qui ne voulait plus acheter une échelle pour deux heures de travaux.",
        "« On nous a d’abord pris pour des rêveurs », raconte la directrice, qui a dû convaincre les assureurs.",
        "Chaque objet est vérifié au retour par un bénévole, souvent un retraité de l’usine voisine.",
        "La mairie a donné une salle, un budget modeste et beaucoup de liberté, ce qui suffit pour commencer.",
        "Le samedi matin, la file d’attente va jusqu’à la porte et l’on y échange surtout des conseils.",
        "Les objets les plus demandés ne sont pas ceux que l’on croit : la machine à coudre arrive en tête.",
        "Un atelier de réparation a suivi, où l’on apprend à changer un câble plutôt que de jeter l’appareil.",
        "Plusieurs villes ont envoyé des délégations, et deux d’entre elles ont déjà ouvert un service semblable.",
        "Les pertes restent rares : en dix mois, trois outils seulement ne sont jamais revenus.",
        "La prochaine étape sera un catalogue en ligne, pour réserver sans devoir passer deux fois.",
        "Personne ne sait encore qui paiera les remplacements lorsque les machines auront cinq ans de plus.",
    ),
    headings=("Une idée simple", "Des bénévoles au travail", "Et ensuite ?"),
    menu=("Accueil", "Actualités", "Politique", "Économie", "Culture", "Sports", "Abonnement", "Contact"),
    teasers=(
        "Le marché couvert rouvre ses portes",
        "Cinq promenades au bord du canal",
        "Un orchestre répète dans la piscine vide",
        "Pourquoi le tram siffle dans les virages",
    ),
    remarks=(
        "Très bonne initiative, j’ai emprunté une ponceuse la semaine dernière et tout s’est bien passé.",
        "Dommage que ce soit fermé le lundi, c’est justement le seul jour où je peux venir en ville.",
        "Merci pour cet article, je vais en parler à la bibliothèque de mon quartier dès demain.",
    ),
    cookies="Avec votre accord, nos partenaires et nous utilisons des cookies pour mesurer l’audience et proposer des "
    "publicités adaptées. Vous pouvez retirer votre accord à tout moment depuis la page de gestion de vos préférences.",
    letter="Recevez chaque vendredi nos meilleurs articles. Gratuit, et vous pouvez vous désinscrire en un clic.",
    byline="Par Claire Dumont, le 8 octobre",
)
SPANISH = Words(
    language="es",
    title="El río que volvió a la ciudad",
    sentences=(
        "Durante cuarenta años el río pasó por debajo de una avenida, y casi nadie recordaba cómo sonaba.",
        "El verano pasado se retiró la última losa de hormigón, y el agua corre otra vez a la luz del día.",
        "«Pensábamos que sería un jardín bonito, pero ha cambiado la temperatura del barrio», explica la arquitecta.",
        "Los vecinos miden cada mañana el nivel del agua y apuntan los pájaros que han visto desde el puente.",
        "El tráfico no desapareció, como temían los comerciantes, sino que se repartió por otras calles.",
        "La obra costó menos de lo previsto, porque el hormigón retirado se aprovechó en los muros de la orilla.",
        "Queda pendiente la limpieza del tramo industrial, donde el suelo guarda restos de una vieja fábrica de tintes.",
        "Los colegios han convertido la ribera en un aula, y los martes se dan allí las clases de ciencias.",
        "Algunos alquileres han subido, y la asociación de inquilinos pide que se limiten antes de que sea tarde.",
        "En primavera volvieron los primeros peces, pequeños y grises, que nadie había soltado.",
        "El ayuntamiento quiere prolongar el paseo hasta el mar, aunque faltan permisos de dos ministerios.",
        "Mientras tanto, las terrazas se llenan cada tarde y el ruido más fuerte es el del agua.",
    ),
    headings=("Una decisión discutida", "Lo que dicen los vecinos", "Lo que falta"),
    menu=("Inicio", "Noticias", "Política", "Deportes", "Cultura", "Opinión", "Contacto", "Suscripción"),
    teasers=(
        "El mercado central abrirá los domingos",
        "Tres rutas para caminar en otoño",
        "La orquesta busca una nueva sede",
        "Por qué sube el precio del aceite",
    ),
    remarks=(
        "Vivo a dos calles y es verdad que se nota el fresco por la noche, antes no se podía dormir en agosto.",
        "Muy bonito todo, pero las obras duraron el doble y a los comercios nadie nos compensó por ello.",
        "Ojalá hicieran lo mismo en mi ciudad, donde el río sigue debajo de un aparcamiento enorme.",
    ),
    cookies="Nosotros y nuestros socios utilizamos cookies para medir la audiencia y mostrar publicidad adaptada a usted. "
    "Puede cambiar su decisión o retirar su consentimiento en cualquier momento desde el panel de configuración.",
    letter="Reciba cada lunes un resumen con lo mejor de la semana. Es gratis y puede darse de baja cuando quiera.",
    byline="Por Marta Gil, 21 de junio",
)
RUSSIAN = Words(
    language="ru",
    title="Старый вокзал стал читальным залом",
    sentences=(
        "Последний поезд ушёл отсюда пятнадцать лет назад, и с тех пор здание стояло пустым.",
        "Осенью жители посёлка сами вымыли окна, привезли столы и открыли в зале ожидания библиотеку.",
        "«Мы хотели место, где можно сидеть в тишине и никому ничего не платить», — говорит учительница химии.",
        "Книги собирали по всему району, и за первую неделю принесли больше четырёх тысяч томов.",
        "Отопление сделали от котельной соседней школы, трубу протянули по старому кабельному каналу.",
        "Билетная касса превратилась в стойку выдачи, а часы над ней снова показывают верное время.",
        "По вечерам здесь читают вслух, и на эти чтения приезжают даже из областного центра.",
        "Чиновники сначала требовали закрыть зал, потому что здание числилось на балансе железной дороги.",
        "После нескольких писем дорога согласилась передать вокзал посёлку за символическую сумму.",
        "Теперь нужен новый пол, и деньги на него собирают уже третий месяц.",
        "Архитектор, который вырос неподалёку, бесплатно подготовил проект восстановления крыши.",
        "Весной на перроне хотят посадить яблони, чтобы осенью раздавать читателям урожай.",
    ),
    headings=("Как всё началось", "Книги и тепло", "Планы на весну"),
    menu=("Главная", "Новости", "Политика", "Экономика", "Культура", "Спорт", "О нас", "Контакты"),
    teasers=(
        "Мост через реку откроют раньше срока",
        "Где провести первые выходные зимы",
        "Театр ищет голоса для новой сказки",
        "Почему в городе снова отключили фонари",
    ),
    remarks=(
        "Была там в прошлую субботу, очень уютно, только света у окна маловато, нужно принести лампы.",
        "У нас тоже пустует вокзал, но никто ничего не делает, все ждут разрешения сверху уже десять лет.",
        "Спасибо за статью! Подскажите, пожалуйста, куда можно привезти детские книги и журналы.",
    ),
    cookies="Мы и наши партнёры используем файлы cookie, чтобы измерять посещаемость и показывать подходящую рекламу. "
    "Вы можете в любой момент изменить своё решение в настройках или отозвать согласие, написав нам письмо.",
    letter="Лучшие материалы недели в одном письме. Бесплатно, отписаться можно в любой момент.",
    byline="Ольга Петрова, 4 ноября",
)
JAPANESE = Words(
    language="ja",
    title="海辺の町に戻ってきた小さな造船所",
    sentences=(
        "港の外れにある造船所は、十年前に最後の職人が引退してから、ずっと扉を閉ざしていた。",
        "今年の春、三人の若者が工場を借り受け、木の船をもう一度つくることに決めた。",
        "「最初は道具の名前も分からなかった」と、代表の女性は笑いながら振り返る。",
        "引退した職人たちは毎朝工場に立ち寄り、板の曲げ方や釘の打ち方を教えてくれる。",
        "材料の杉は裏山から切り出し、半年かけて潮風の中で乾かしてから使う。",
        "一艘を仕上げるのに四か月かかるが、注文はすでに再来年の分まで埋まっている。",
        "買い手の多くは漁師ではなく、湖や川でゆっくり過ごしたいという都会の人たちだ。",
        "町は古い寮を改装して、見習いのための部屋を六つ用意することにした。",
        "工場の壁には、これまでに送り出した船の名前が、墨で一つずつ書き込まれている。",
        "課題は冬の仕事が少ないことで、家具づくりを始められないかと相談が続いている。",
        "夏には進水式を見ようと、近くの学校の子どもたちが浜に並んで待っていた。",
        "次の目標は、百年前の図面に残る大きな帆船を、元の姿のまま復元することだという。",
    ),
    headings=("職人から若者へ", "山の木を使う", "これからの夢"),
    menu=("ホーム", "ニュース", "政治", "経済", "文化", "スポーツ", "会社案内", "お問い合わせ"),
    teasers=(
        "駅前に新しい図書館が開館",
        "秋の山歩きで気をつけたいこと",
        "人気の朝市が十一月まで延長",
        "小学校の給食に地元の野菜",
    ),
    remarks=(
        "祖父がこの造船所で働いていました。記事を読んで、子どものころの木の匂いを思い出しました。",
        "見学はできるのでしょうか。来月そちらに行く予定があるので、ぜひ立ち寄ってみたいです。",
        "とても良い取り組みだと思います。ただ、値段についても少し書いてほしかったです。",
    ),
    cookies="当サイトと提携会社は、利用状況の分析と広告の配信のためにクッキーを使用します。設定画面からいつでも選択を変更したり、同意を取り消したりすることができます。",
    letter="一週間の注目記事をメールでお届けします。登録は無料で、いつでも解除できます。",
    byline="文・山本あかり 六月二日",
    joint="",
)
CHINESE = Words(
    language="zh",
    title="一条老街怎样留住它的手艺人",
    sentences=(
        "这条街只有三百米长,却住着二十多位还在用双手做活的匠人。",
        "五年前,房租涨得太快,铁匠铺和伞店先后贴出了搬家的告示。",
        "居委会没有立刻请开发商,而是把临街的空房租下来,再以低价转租给愿意开门授徒的师傅。",
        "“只要门开着,就会有人进来学,”做了四十年竹编的老人这样说。",
        "如今每个周末都有年轻人排队,学修伞、磨刀、刻印章,有的一学就是半年。",
        "游客当然也来了,不过街口立了一块牌子,请大家不要对着正在干活的人拍照。",
        "收入并不算高,但是订单稳定,外地的餐馆一次就要几百把手工菜刀。",
        "去年冬天,街坊们合伙买下一台旧窑,打算把停了二十年的陶器重新烧起来。",
        "规划部门最初担心消防,后来帮着换了电线,还在每个院子里装了水缸和水泵。",
        "也有人不满意,觉得街上越来越吵,晚上九点以后还能听见敲打的声音。",
        "研究城市的学者常常来这里,想弄清楚这个办法能不能搬到别的地方去。",
        "老人听了只是摇头,说办法不难,难的是大家愿意慢慢等。",
    ),
    headings=("从一张告示说起", "开门授徒", "还没有解决的事"),
    menu=("首页", "新闻", "时政", "财经", "文化", "体育", "关于我们", "联系方式"),
    teasers=("地铁新线下月开始试运行", "周末去哪里看红叶", "菜市场里的修表摊", "老人学会了网上挂号"),
    remarks=(
        "我小时候就住在这条街的后面,看到伞店还在,心里真的很高兴,希望能一直开下去。",
        "说得好听,可是停车太难了,每次去都要绕三圈,能不能顺便解决一下这个问题。",
        "想带孩子去学竹编,请问需要提前预约吗,周日下午有没有课。",
    ),
    cookies="本网站及合作伙伴使用小型文本文件来统计访问情况并投放合适的广告。您可以随时在设置页面更改选择,也可以撤回已经给出的同意。",
    letter="每周精选文章发送到您的邮箱。完全免费,随时可以退订。",
    byline="记者 李文 三月九日",
    joint="",
)
ARABIC = Words(
    language="ar",
    title="بئر قديمة تعيد الحياة إلى القرية",
    sentences=(
        "منذ عشرين عاما والقرية تشتري الماء من شاحنات تصل مرة واحدة في الأسبوع، وأحيانا لا تصل.",
        "في الربيع الماضي عثر راع على فتحة بئر مردومة، فقرر الأهالي أن يحفروا بأيديهم حتى يجدوا الماء.",
        "وقالت المعلمة التي نظمت العمل: «لم نكن نملك خريطة، بل ذاكرة كبار السن فقط».",
        "استغرق الحفر ثلاثة أشهر، وشارك فيه رجال ونساء من خمس قرى مجاورة.",
        "وعندما ظهر الماء على عمق أربعين مترا، جاء مهندس من المدينة ليفحص جودته مجانا.",
        "أظهرت النتائج أن الماء صالح للشرب، لكنه يحتاج إلى مرشح بسيط في أشهر الصيف.",
        "تعمل المضخة اليوم بألواح شمسية تبرعت بها جمعية صغيرة، ويتناوب الشباب على صيانتها.",
        "عاد بعض المزارعين إلى زراعة الزيتون والتين في الحقول التي تركوها قبل سنوات.",
        "ويخشى آخرون أن ينخفض منسوب البئر إذا توسعت الزراعة من دون تنظيم.",
        "لذلك اتفق الجميع على دفتر تسجل فيه كل أسرة ما تأخذه من الماء كل يوم.",
        "وتفكر البلدية في نقل التجربة إلى وادي مجاور تنتشر فيه آبار كثيرة مهجورة.",
        "أما الأطفال فقد أطلقوا على البئر اسما جديدا، وكتبوه بالألوان على الجدار المحيط بها.",
    ),
    headings=("كيف بدأت الحكاية", "الماء والشمس", "ما الذي سيأتي"),
    menu=("الرئيسية", "الأخبار", "السياسة", "الاقتصاد", "الثقافة", "الرياضة", "من نحن", "اتصل بنا"),
    teasers=(
        "افتتاح سوق جديد للحرفيين",
        "خمس وصفات لليالي الشتاء",
        "مكتبة متنقلة تصل إلى الجبال",
        "لماذا تأخر موسم الزيتون",
    ),
    remarks=(
        "قصة جميلة جدا، أتمنى أن أرى مثل هذا العمل في قريتنا حيث توجد ثلاث آبار مهجورة.",
        "لكن من سيدفع ثمن صيانة المضخة بعد خمس سنوات؟ هذا هو السؤال الذي لم يجب عنه أحد.",
        "شكرا على المقال، وأرجو أن تنشروا صورا أخرى للبئر وللألواح الشمسية في العدد القادم.",
    ),
    cookies="نستخدم نحن وشركاؤنا ملفات تعريف الارتباط لقياس عدد الزيارات وعرض إعلانات تناسبكم. يمكنكم تغيير اختياركم "
    "أو سحب موافقتكم في أي وقت من صفحة الإعدادات.",
    letter="تصلكم أفضل مقالات الأسبوع بالبريد مجانا، ويمكنكم إلغاء الاشتراك متى شئتم.",
    byline="بقلم ليلى حداد، ٧ أيار",
)
KOREAN = Words(
    language="ko",
    title="버스가 끊긴 마을의 새로운 발",
    sentences=(
        "하루 두 번 오던 버스가 사라진 뒤, 이 마을의 노인들은 병원에 가려면 택시를 불러야 했다.",
        "지난해 가을 주민들은 돈을 모아 중고 승합차 한 대를 사고, 돌아가며 운전하기로 약속했다.",
        "“처음에는 한 달도 못 갈 거라고들 했지요.” 모임을 이끄는 이장은 그렇게 말하며 웃었다.",
        "지금은 자원봉사 운전자만 열네 명이고, 예약은 마을회관 칠판과 전화로 받는다.",
        "장날에는 승합차가 여섯 번 오가는데, 무거운 짐은 젊은 운전자가 집 안까지 들어다 준다.",
        "보험 문제가 가장 어려웠지만, 군청이 조례를 고치면서 길이 열렸다.",
        "기름값은 이용자들이 조금씩 내는 회비와 마을 축제 수익으로 충당한다.",
        "이웃 마을 세 곳도 같은 방식을 시작했고, 이제 서로의 차를 빌려 쓰기도 한다.",
        "아이들은 주말이면 이 차를 타고 읍내 도서관에 가서 책을 한 아름 빌려 온다.",
        "겨울철 눈길 운전은 여전히 걱정거리여서, 제설기를 마련하자는 의견이 나온다.",
        "전문가들은 작은 공동체가 스스로 만든 교통의 좋은 보기라고 평가한다.",
        "내년 봄에는 전기차로 바꾸는 계획을 두고 다시 한번 마을 회의를 열 예정이다.",
    ),
    headings=("승합차 한 대로 시작하다", "누가 비용을 내나", "남은 과제"),
    menu=("홈", "뉴스", "정치", "경제", "문화", "스포츠", "회사 소개", "문의"),
    teasers=(
        "새 도서관이 다음 달 문을 연다",
        "가을에 걷기 좋은 길 다섯 곳",
        "전통 시장의 밤이 달라졌다",
        "학교 텃밭에서 자란 배추",
    ),
    remarks=(
        "저희 시골도 버스가 없어져서 어머니가 많이 불편해하십니다. 이런 방법이 있는 줄 몰랐네요.",
        "좋은 기사 감사합니다. 다만 사고가 났을 때 책임은 누가 지는지도 알려 주시면 좋겠습니다.",
        "운전 봉사를 하고 싶은데 어디에 연락하면 되는지 궁금합니다. 주말에는 시간이 있습니다.",
    ),
    cookies="저희와 협력사는 이용 현황을 분석하고 알맞은 광고를 보여 드리기 위해 쿠키를 사용합니다. 설정 화면에서 언제든지 선택을 바꾸거나 동의를 철회할 수 있습니다.",
    letter="한 주의 좋은 기사를 메일로 보내 드립니다. 무료이며 언제든지 해지할 수 있습니다.",
    byline="글 김민서, 9월 14일",
)
LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, RUSSIAN, JAPANESE, CHINESE, ARABIC, KOREAN)
