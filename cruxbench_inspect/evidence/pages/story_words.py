"""The words by which sites name, to their readers and in their code, what on a page is not its own story."""

import re
import unicodedata
from functools import lru_cache
from typing import Literal

Kind = Literal["others", "remark", "remarks"]
"""Other stories and notices; a single reader's remark, or an opinion piece; the remarks of readers."""

LONGEST_HEADING = 60
"""Characters of a heading that may say what a list below it is."""

# These say it in code only: as the heading of a list, they may be about the story.
_IN_CODE = """
recommend recommends recommendation recommendations ticker headlines teaser teasers promo promos promotion promoted
sponsored sponsor advert adverts advertisement advertising advertorial outbrain taboola recirc recirculation
newsletter right-rail left-rail side-rail discussion discussions replies responses breaking-news breaking-ticker
news-ticker story-list article-list headline-list news-list
""".split()
_ENGLISH = """
related recommended popular trending most-read most-popular most-viewed most-shared most-watched most-commented
most-emailed read-next read-more read-also read-this-next also-read more-stories more-news more-on more-from more-in
more-articles more-headlines more-coverage more-like-this up-next see-also you-may you-might next-article next-story
next-up dont-miss don-t-miss in-other-news in-case-you-missed editors-picks editor-s-picks our-picks top-stories
top-news top-headlines latest-news latest-stories latest-headlines latest-articles latest-posts recent-posts
recent-stories recent-articles paid-content partner-content from-the-web around-the-web elsewhere-on
""".split()
_IN_OTHER_LANGUAGES = """
verwandte-artikel verwandte-themen verwandte-beitrage verwandte-nachrichten ahnliche-artikel mehr-zum-thema
mehr-artikel mehr-nachrichten mehr-aus weitere-artikel weitere-meldungen weitere-nachrichten weitere-themen
lesen-sie-auch auch-interessant auch-interessieren das-konnte-sie-auch das-konnte-dich-auch meistgelesen
meistgelesene meistgelesenen meist-gelesen meistgeklickt empfehlungen empfohlen empfohlene neueste-artikel
neueste-nachrichten aktuelle-nachrichten zum-weiterlesen lire-aussi a-lire voir-aussi vous-aimerez-aussi
cela-pourrait-vous articles-lies articles-similaires articles-associes articles-connexes sur-le-meme-sujet
sur-le-meme-theme plus-lus plus-lues dernieres-nouvelles dernieres-actualites dernieres-infos a-la-une recommandes
recommandations a-decouvrir pour-aller-plus-loin relacionado relacionada relacionados relacionadas mas-leido
mas-leidos mas-leida mas-leidas mas-visto mas-vistos mas-vistas mas-noticias mas-sobre te-puede-interesar
le-puede-interesar lee-tambien lea-tambien leer-mas ver-tambien ultimas-noticias ultima-hora recomendado
recomendados recomendada recomendadas te-recomendamos leia-tambem leia-mais veja-tambem veja-mais mais-lidas
mais-lidos mais-lida mais-vistas mais-noticias saiba-mais leggi-anche articoli-correlati notizie-correlate correlati
piu-letti piu-lette piu-letto potrebbe-interessarti potrebbero-interessarti ti-potrebbe-interessare ultime-notizie
consigliati lees-ook lees-meer lees-verder meest-gelezen gerelateerd gerelateerde aanbevolen meer-nieuws meer-over
laatste-nieuws czytaj-takze czytaj-tez czytaj-rowniez zobacz-takze zobacz-tez zobacz-rowniez powiazane
najczesciej-czytane podobne-artykuly polecane polecamy najnowsze-wiadomosci ilgili-haberler ilgili-haber cok-okunan
cok-okunanlar son-haberler benzer-haberler bunlar-da-ilginizi las-ocksa las-mer mest-last mest-lasta relaterade
relaterat senaste-nytt les-ogsa les-mer mest-lest relaterte siste-nytt laes-ogsa mest-laeste læs-ogsa mest-læste
relaterede relateret lue-myos luetuimmat читайте-также читать-также читайте-еще смотрите-также похожие-материалы
похожие-новости материалы-по-теме новости-по-теме по-теме самое-читаемое популярное рекомендуем главные-новости
другие-новости последние-новости еще-по-теме читайте-також схожі-новини популярне διαβαστε-επισης σχετικα-αρθρα
""".split()
_IN_SIGNS = """
関連記事 関連ニュース 関連リンク 人気記事 人気ランキング アクセスランキング 記事ランキング あわせて読みたい
合わせて読みたい おすすめ記事 こちらもおすすめ 最新記事一覧 最新ニュース 相关新闻 相关阅读 相关文章 相关报道
相關新聞 相關報導 相關文章 延伸阅读 延伸閱讀 推荐阅读 推薦閱讀 热门新闻 熱門新聞 热门文章 猜你喜欢 관련기사 관련뉴스
관련-기사 관련-뉴스 많이-본 인기기사 인기-기사 추천기사 اقرأ-أيضا اقرا-ايضا شاهد-أيضا ذات-صلة الأكثر-قراءة
مواضيع-متعلقة
""".split()
_REMARKS = """
comments commentlist comment-list comment-thread comment-threads comment-section comments-area comment-form
comment-box commentbox reader-comments user-comments fb-comments disqus livefyre coral coral-talk talk-stream
hyvor-talk spot-im spotim openweb viafoura respond readers-comments leave-a-reply leave-a-comment
join-the-conversation kommentare leserkommentare kommentarliste commentaires comentarios commenti reacties
komentarze yorumlar kommentarer kommentit комментарии комментариев коментари коментарі σχολια
""".split()
_REMARKS_IN_SIGNS = "コメント一覧 コメント欄 댓글 网友评论 發表評論 发表评论 التعليقات".split()
_REMARK = ["comment", "kommentar", "comentario", "commentaire", "commento", "komentarz", "yorum"]

# A name of this kind tells a state of the page, or what it is filed under, and not what is in the box.
_STATE_BEFORE = frozenset("has have with without no not is are hide hides show shows single category cat tag".split())
_STATE_AFTER = frozenset("open opened closed enabled disabled on off allowed active inactive loaded true false".split())
# What may follow a single word in a heading: "Related stories", "Trending now".
_MAY_FOLLOW = frozenset(
    "stories story articles article news posts content links topics topic reading reads coverage now today videos video"
    " podcasts items headlines from for you this in on the week section by more".split()
)
_ARTICLES = "the our los las lo o os as a i le les il la die das der de het".split()
_INLINE = """
related related-story related-stories related-article related-articles related-news related-coverage related-content
read-more read-also also-read read-next see-also more-on-this more-on-this-story watch-also don-t-miss
mehr-zum-thema lesen-sie-auch lesen-sie-mehr lire-aussi a-lire-aussi voir-aussi lee-tambien lea-tambien lea-mas
te-puede-interesar mas-informacion leia-tambem leia-mais veja-tambem leggi-anche lees-ook czytaj-takze czytaj-tez
zobacz-takze zobacz-tez ilgili-haber las-ocksa las-mer les-ogsa les-mer læs-ogsa lue-myos читайте-также читайте-еще
смотрите-также по-теме читайте-також διαβαστε-επισης 関連記事 あわせて読みたい 相关阅读 延伸阅读 延伸閱讀 관련기사
관련-기사 اقرأ-أيضا
""".split()

_LONGEST_NAMES = 300  # characters that are looked at
_PARTS = re.compile(r"[^\W\d_]+", re.UNICODE)
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=4_096)
def kind_of_names(names: str) -> Kind | None:
    """What the names of a box tell, None if nothing.

    Args:
        names: Names in the code of a page with spaces between them, in any style: ``most-read``, ``mostRead``,
            ``article__most_read``.
    """
    words = [_kebab(name) for name in names[:_LONGEST_NAMES].split()]
    telling = "  ".join(f"-{word}-" for word in words if not _tells_a_state(word))
    if _NAMES_REMARKS.search(telling):
        return "remarks"
    if _NAMES_OTHERS.search(telling):
        return "others"
    return "remark" if _NAMES_REMARK.search(telling) else None


@lru_cache(maxsize=4_096)
def kind_of_label(label: str) -> Kind | None:
    """What a heading or a label for readers says of the list below it, None if it is about something else."""
    words = _kebab(label[: LONGEST_HEADING + 1])
    if len(label) > LONGEST_HEADING or not words:
        return None
    if _LABELS_REMARKS.fullmatch(words):
        return "remarks"
    match = _LABELS_OTHERS.match(words)
    if match is None:
        return None
    rest = [word for word in words[match.end() :].split("-") if word]
    vague = match["phrase"] in _VAGUE
    return "others" if (not vague and len(rest) <= 3) or all(word in _MAY_FOLLOW for word in rest) else None


def refers_elsewhere(beginning: str) -> bool:
    """Whether a paragraph that begins like this but refers to another story: "Related: ...", "Read more: ..."."""
    before, colon, _ = re.sub("[\uff1a|»>→]", ":", beginning[:LONGEST_HEADING]).partition(":")
    return bool(colon) and _kebab(before) in _REFERENCES


def _kebab(name: str) -> str:
    """The words of a name in small letters without accents, with dashes between them."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", _HUMPS.sub("-", name)) if not unicodedata.combining(c))
    return "-".join(_PARTS.findall(plain.casefold()))


def _tells_a_state(word: str) -> bool:
    first, last = word.partition("-")[0], word.rpartition("-")[2]
    return first != last and (first in _STATE_BEFORE or last in _STATE_AFTER)


def _any_of(phrases: list[str]) -> str:
    """One of the phrases, also as one word."""
    return "|".join(sorted((_kebab(phrase).replace("-", "-?") for phrase in phrases), key=len, reverse=True))


_SIGNS = _any_of(_IN_SIGNS)
_PHRASES = [*_ENGLISH, *_IN_OTHER_LANGUAGES]
_VAGUE = frozenset(phrase for phrase in _ENGLISH if "-" not in phrase)
_NAMES_OTHERS = re.compile(rf"-(?:{_any_of([*_PHRASES, *_IN_CODE])})-|{_SIGNS}")
_NAMES_REMARKS = re.compile(rf"-(?:{_any_of(_REMARKS)})-|{_any_of(_REMARKS_IN_SIGNS)}")
_NAMES_REMARK = re.compile(rf"-(?:{_any_of(_REMARK)})-")
_BEFORE = f"(?:(?:{'|'.join(_ARTICLES)})-)?"
_LABELS_OTHERS = re.compile(rf"{_BEFORE}(?P<phrase>(?:{_any_of(_PHRASES)})(?=-|$)|{_SIGNS})")
_LABELS_REMARKS = re.compile(rf"(?:{_BEFORE}(?:{_any_of(_REMARKS)}|{_any_of(_REMARKS_IN_SIGNS)})(?:-section)?)")
_REFERENCES = frozenset(map(_kebab, _INLINE))
