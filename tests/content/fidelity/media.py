"""Sound, film and embedded documents: where they are, and what they are called."""

from support.fidelity import case

CASES = (
    case(
        "media-video-source",
        "<p>a</p><video controls><source src=/v.mp4 type=video/mp4>Your browser is old</video><p>b</p>",
        "<p>a</p><p><a href='https://site.test/v.mp4'>video</a></p><p>b</p>",
    ),
    case(
        "media-video-src",
        "<video src='https://b.test/v.mp4' title='The launch'>old</video>",
        "<p><a href='https://b.test/v.mp4'>video: The launch</a></p>",
    ),
    case(
        "media-video-label",
        "<video src='https://b.test/v.mp4' aria-label='The launch'></video>",
        "<p><a href='https://b.test/v.mp4'>video: The launch</a></p>",
    ),
    case(
        "media-audio",
        "<p>a</p><audio src=/a.mp3></audio>",
        "<p>a</p><p><a href='https://site.test/a.mp3'>audio</a></p>",
    ),
    case("media-video-blob", "<p>a</p><video src='blob:https://b.test/1'></video>", "<p>a</p>", "<p>a</p><p>video</p>"),
    case("media-video-no-source", "<p>a</p><video></video>", "<p>a</p>"),
    case(
        "media-video-track",
        "<video src='https://b.test/v.mp4'><track kind=captions src=/c.vtt srclang=en label=English></video>",
        "<p><a href='https://b.test/v.mp4'>video</a></p>",
    ),
    case(
        "media-iframe", "<p>a</p><iframe src=/map></iframe>", "<p>a</p><p><a href='https://site.test/map'>frame</a></p>"
    ),
    case(
        "media-iframe-title",
        "<iframe src='https://b.test/e/1' title='Talk'>old</iframe>",
        "<p><a href='https://b.test/e/1'>frame: Talk</a></p>",
    ),
    case(
        "media-iframe-lazy",
        "<iframe data-src='https://b.test/e/1' title='Talk'></iframe>",
        "<p><a href='https://b.test/e/1'>frame: Talk</a></p>",
    ),
    case(
        "media-iframe-blank",
        "<p>a</p><iframe src='about:blank'></iframe><iframe src='javascript:1'></iframe><iframe></iframe>",
        "<p>a</p>",
    ),
    case(
        "media-iframe-hidden", "<p>a</p><iframe src='https://b.test/pixel' style='display:none'></iframe>", "<p>a</p>"
    ),
    case(
        "media-object",
        "<p>a</p><object data=/f.pdf type=application/pdf>old</object>",
        "<p>a</p><p><a href='https://site.test/f.pdf'>object</a></p>",
    ),
    case(
        "media-embed",
        "<p>a</p><embed src=/f.pdf title=Plan>",
        "<p>a</p><p><a href='https://site.test/f.pdf'>object: Plan</a></p>",
    ),
    case("media-canvas", "<p>a</p><canvas>old</canvas>", "<p>a</p>"),
    case(
        "media-details",
        "<details><summary>s</summary><p>body</p></details>",
        "<p>s</p><p>body</p>",
        "<p><b>s</b></p><p>body</p>",
    ),
    case(
        "media-details-inline",
        "<details open><summary>s</summary>body</details>",
        "<p>s</p><p>body</p>",
        "<p><b>s</b></p><p>body</p>",
    ),
    case(
        "media-details-list",
        "<ul><li><details><summary>s</summary><ul><li>x</ul></details></ul>",
        "<ul><li>s<ul><li>x</ul></ul>",
    ),
    case("media-noscript", "<p>a</p><noscript>turn it on</noscript>", "<p>a</p>"),
    case(
        "media-link-in-video",
        "<video src='https://b.test/v.mp4'><a href=/v.mp4>get it</a></video>",
        "<p><a href='https://b.test/v.mp4'>video</a></p>",
    ),
)
