/** Origins of embedded videos; the page's content security policy allows the same. */
export const VIDEO_FRAMES = ["https://www.youtube-nocookie.com", "https://player.vimeo.com"];

/** A seller's video: YouTube and Vimeo in their cookieless players, a file in the browser's, anything else as a link. */
export function Video({ url, title }: { url: string; title: string }) {
  const frame = frameFor(url);
  if (frame)
    return (
      <iframe
        className="video"
        src={frame}
        title={title}
        width={640}
        height={360}
        loading="lazy"
        allow="fullscreen; picture-in-picture"
        referrerPolicy="strict-origin-when-cross-origin"
      />
    );
  if (/^https:\/\/[^?#]+\.(mp4|webm)([?#]|$)/i.test(url)) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the file is the seller's, without captions
      <video
        className="video"
        src={url}
        controls
        preload="none"
        width={640}
        height={360}
        aria-label={title}
      />
    );
  }
  return (
    <a className="btn" href={url} target="_blank" rel="noopener nofollow">
      Assistir ao vídeo
    </a>
  );
}

/**
 * The paths of a Vimeo video: its id, and where it is unlisted the key after it. The numbers of a showcase or an event are other
 * people's videos.
 */
const VIMEO_VIDEO =
  /^\/(?:video\/|manage\/videos\/|channels\/[\w-]+\/|ondemand\/[\w-]+\/|groups\/[\w-]+\/videos\/|(?:album|showcase)\/\d+\/video\/)?(\d{5,12})(?:\/([0-9a-f]{6,40}))?\/?$/;

/** The player's URL for a video's page: `youtu.be/…`, `youtube.com/watch?v=…`, `vimeo.com/…`; null for any other. */
export function frameFor(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { hostname, pathname, searchParams } = new URL(url);
  const host = hostname.replace(/^(www|m)\./, "");
  if (host === "youtu.be" || host === "youtube.com" || host === "youtube-nocookie.com") {
    const id = searchParams.get("v") ?? /^\/(?:embed\/|shorts\/)?([\w-]{11})$/.exec(pathname)?.[1];
    return id && /^[\w-]{11}$/.test(id) ? `${VIDEO_FRAMES[0]}/embed/${id}` : null;
  }
  const video = /^(player\.)?vimeo\.com$/.test(host) ? VIMEO_VIDEO.exec(pathname) : null;
  if (!video) return null;
  // The player shows an unlisted video only with its key.
  const key = video[2] ?? /^[0-9a-f]{6,40}$/.exec(searchParams.get("h") ?? "")?.[0];
  return `${VIDEO_FRAMES[1]}/video/${video[1]}?${key ? `h=${key}&` : ""}dnt=1`;
}
