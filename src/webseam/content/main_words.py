"""What headings say of what is below them: other pages, readers' talk, sharing. Evidence, as labels are. Pure."""

import re
from typing import Final, Literal

HEADING_UNITS: Final = 80
"""A longer text announces nothing."""

_THINGS: Final = (
    "(?:articles?|posts?|stor(?:y|ies)|news|content|topics?|links?|reading|items?|products?|videos?|coverage|questions?"
    "|pages?|tags|searches|categories|headlines|reviews|galleries|podcasts?|recipes|media|terms|blogs?)"
)
_OTHER: Final = (
    rf"related(?: {_THINGS}\b|$)",
    (
        rf"(?:more|other|recent|latest|similar|popular|recommended|featured|top|trending|previous|next|"
        rf"suggested) {_THINGS}\b"
    ),
    (
        r"more (?:from(?: \S+){1,3}$|in \w+$|like this|to (?:read|explore|discover)|by this)|read (?:more|next|"
        r"also|this)\b"
    ),
    (
        r"(?:you|readers) (?:may|might|will|would)?\s?(?:also|love|like|enjoy)|recommended(?: for| by|$)|"
        r"trending(?: now|$)"
    ),
    r"most (?:read|popular|viewed|shared|commented|discussed|recent)|popular (?:now|this)|don.t miss|up next",
    (
        r"what to (?:read|watch) next|keep reading|editors?.?s? (?:picks|choice)|(?:from )?(?:around|"
        r"across) the web"
    ),
    (
        r"from (?:our|the) (?:partners?|archives?|blog)|also (?:on|in|read|of interest)|promoted|"
        r"sponsored|in other news"
    ),
    (
        r"ähnliche|verwandte (?:artikel|themen|beiträge)|weitere (?:artikel|beiträge|themen|news|"
        r"meldungen|nachrichten)"
    ),
    (
        r"mehr (?:zum thema|artikel|zu diesem|news|beiträge)|mehr (?:von|aus) \S+$|"
        r"(?:das|dies) könnte (?:sie|dich|dir|euch) (?:auch|ebenfalls|interess)|"
        r"meist\s?gelesen|lesen sie (?:auch|mehr|weiter|hier)"
    ),
    (
        r"lies auch|auch interessant|neueste (?:beiträge|artikel)|zum thema$|passend dazu|"
        r"beliebte (?:artikel|beitr)"
    ),
    (
        r"(?:articles?|sujets|contenus) (?:similaires|liés|connexes|récents)|(?:à )?lire aussi|à lire|"
        r"sur le même (?:sujet|thème)"
    ),
    (
        r"vous (?:aimerez|pourriez aimer)|(?:ça|cela) (?:pourrait|peut|"
        r"devrait) vous|les plus lus|(?:nos )?derni(?:ers|"
        r"ères) (?:articles|publi|actu|nouv)|dans la même"
    ),
    (
        r"(?:artículos?|noticias?|entradas|contenidos?|notas) (?:relacionad|similares|recientes)|"
        r"relacionad[oa]s?$|lee también"
    ),
    (r"(?:también )?(?:te|le|os) (?:puede|podría) (?:interesar|gustar)|más (?:noticias|leíd)|lo más (?:leído|visto)"),
    (
        r"(?:articoli|notizie|post) (?:correlat|simili|recenti)|leggi anche|"
        r"potrebbe(?:ro)? (?:interessarti|piacerti)|i più letti"
    ),
    (
        r"(?:artigos?|notícias|posts?|matérias|conteúdo) (?:relacionad|recentes|semelhantes)|"
        r"leia (?:também|mais)|veja também|mais lidas"
    ),
    (
        r"(?:gerelateerde|verwante|andere) (?:artikelen|berichten)|lees (?:ook|meer|verder)|meest gelezen|"
        r"meer nieuws|meer (?:over|van) \S+$"
    ),
    (
        r"läs (?:också|mer|även)|relaterade|mest läst|les også|læs også|mest lest|mest læste|relatert|"
        r"relaterede|lue myös|luetuimmat"
    ),
    (
        r"(?:podobne (?:artyk|wpis|temat)|powiązane|polecane|zobacz też|"
        r"czytaj (?:też|także|więcej)|najczęściej czytane|"
        r"přečtěte si|související|nejčtenější)"
    ),
    (
        r"(?:читайте (?:также|ещё|еще)|похожие (?:стать|материал|новост|запис|"
        r"пост)|по теме|ещё по теме|другие (?:новости|материалы|статьи)|"
        r"самое читаемое|рекомендуем)"
    ),
    (
        r"(?:читайте також|схожі (?:стат|матеріал|новин)|за темою|також за темою|інші новини|"
        r"ilgili (?:haberler|yazılar|içerik)|"  # noqa: RUF001 - Turkish
        r"benzer (?:haber|yazı|içerik|konu)|en çok okunan|diğer haberler)"  # noqa: RUF001 - Turkish
    ),
    (
        r"(?:baca juga|artikel terkait|berita terkait|terpopuler|xem thêm|tin liên quan|"
        r"bài viết liên quan|có thể bạn)"
    ),
    (
        r"(?:διαβάστε (?:επίσης|ακόμα)|σχετικά (?:άρθρα|θέματα)|δείτε επίσης|kapcsolódó|"
        r"olvass(?:a el)? tov|articole similare|citește și)"
    ),
    (
        r"(?:関連(?:記事|ニュース|リンク|キーワード|商品|コンテンツ|トピ)|"
        r"おすすめ(?:の?記事|商品|コンテンツ|$)|あわせて読|こちらも|人気記事|人気の(?:記事|ページ|タグ)|新着記事|最新記事|アクセスランキング)"
    ),
    (
        r"(?:相关(?:阅读|新闻|文章|推荐|链接|专题|报道|内容)|相關(?:閱讀|新聞|文章|報導)|推荐阅读|"
        r"延伸閱讀|延伸阅读|热门(?:文章|新闻|推荐|标签|$)|熱門|猜你喜欢|精彩推荐|为您推荐|大家都在看|"
        r"更多(?:新闻|新聞|文章|精彩)|最新(?:文章|新闻|新聞)|阅读排行)"
    ),
    (
        r"(?:관련\s?(?:기사|글|뉴스|콘텐츠)|추천\s?(?:기사|뉴스|"
        r"글)|많이 본|인기\s?(?:기사|글|뉴스)|최신\s?(?:기사|글|뉴스)|이 기사와)"
    ),
    (
        r"(?:اقرأ (?:أيضا|المزيد)|مواضيع (?:ذات صلة|متعلقة)|مقالات (?:ذات صلة|مشابهة)|أخبار (?:ذات صلة|"
        r"متعلقة)|الأكثر قراءة|مطالب مرتبط|اخبار مرتبط|संबंधित|यह भी पढ़ें|ये भी पढ़ें|קרא(?:ו)? (?:גם|"  # noqa: RUF001 - Hebrew
        r"עוד)|כתבות נוספות|อ่านเพิ่มเติม|ข่าวที่เกี่ยวข้อง)"
    ),
)
_AROUND: Final = (
    (
        r"share (?:this|on|via|article)|follow (?:us|me)|sign up|subscribe(?: to our| now| today|$)|(?:our |the |"
        r"daily |free )?newsletters?$|stay (?:in|up)"
    ),
    (
        r"get (?:our|updates)\b|join (?:our|the) (?:newsletter|mailing|conversation|discussion)|"
        r"tags?:?$|filed under|keywords$"
    ),
    (
        r"about (?:the|this) authors?|(?:the )?authors?$|leave a (?:reply|comment)|(?:post|add|write|"
        r"submit) (?:a|your) (?:comment|reply|review)"
    ),
    r"comments?(?: \(?\d+\)?)?:?$|(?:no|one|two|\d[\d,.]*) (?:comments?|thoughts? on)|what do you think",
    (
        r"teilen$|(?:artikel|beitrag) teilen|diesen (?:artikel|beitrag)|folge(?:n sie)? uns|schlagw(?:ö|"
        r"o)rt|über den autor|über die autor|zur person$"
    ),
    (
        r"(?:kommentare?|leserkommentare)\b|\d+ (?:kommentar|gedanken)|schreibe? einen kommentar|"
        r"kommentar (?:schreiben|verfassen|hinterlassen)"
    ),
    (
        r"partage[rz]|suivez|\d+ (?:commentaires?|réactions?)|commentaires?$|laisse[rz] un (?:commentaire|"
        r"message)|(?:à propos|l'auteur)"
    ),
    (
        r"compart(?:ir|e)|síguenos|\d+ comentarios?|comentarios?$|deja (?:un|tu) (?:comentario|respuesta)|"
        r"sobre (?:el|la) autora?"
    ),
    (
        r"condividi|seguici|\d+ commenti|commenti?$|lascia un commento|compartilhe|\d+ comentários?|"
        r"comentários?$|deixe um"
    ),
    (
        r"delen$|\d+ (?:reacties|opmerkingen)|reacties$|(?:geef|plaats) een reactie|\d+ (?:kommentarer|"
        r"kommentar)|kommentarer$|lämna en|skriv en"
    ),
    (
        r"udostępnij|\d+ komentarz|komentarze|dodaj komentarz|komentáře|\d+ komentář|поделиться|"
        r"комментари|\d+ комментари|оставить комментарий|коментарі"
    ),
    (
        r"yorumlar|\d+ yorum|yorum yap|paylaş|komentar\b|\d+ komentar|bình luận|\d+ bình luận|σχόλια|"
        r"\d+ σχόλι|hozzászólás|comentarii"
    ),
    (
        r"(?:コメント|この記事を(?:シェア|書いた)|シェアする|关注我们|分享到|分享至|网友评论|评论|評論|"
        r"留言|发表评论|댓글|공유|이 기사를 공유|التعليقات|تعليقات|شارك)"
    ),
)
_OTHERS: Final = re.compile("|".join(_OTHER))
_ROUND: Final = re.compile("|".join(_AROUND))
_COUNTED: Final = re.compile(r"\(?\d[\d,.]*\)? (?:comments?|thoughts? on|kommentar|commentaire|comentario|commenti)")
_MARKS: Final = " \n\t\r-\u2013\u2014•·|>»:#*▼▶►●■★☆【[(「"


def announces(text: str) -> Literal["other", "around"] | None:
    """What a heading announces in any of some thirty languages: other pages, or talk and sharing around this one."""
    if len(text) > HEADING_UNITS:
        return None
    plain = _plain(text)
    return "other" if _OTHERS.match(plain) else "around" if _ROUND.match(plain) else None


def counts_talk(text: str) -> bool:
    """Whether a heading counts comments, which needs no other evidence."""
    return len(text) <= 2 * HEADING_UNITS and _COUNTED.match(_plain(text)) is not None


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(_MARKS).casefold()
