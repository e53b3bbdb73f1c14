import type { ImgHTMLAttributes, ReactNode } from "react";
import { useEffect, useRef, useState } from "react";

type Props = { url: string | null | undefined; fallback: ReactNode } & Omit<
  ImgHTMLAttributes<HTMLImageElement>,
  "src"
>;

/**
 * The one place where a seller's image address becomes a picture: uploads will change this file alone. `fallback` stands
 * in where there is none, and where the browser says that it is no picture. Looks come from the caller's `className`.
 */
export function Picture({ url, fallback, alt = "", ...img }: Props) {
  const [broken, setBroken] = useState<string | null>(null);
  const drawn = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // What failed before this code arrived raises no event any more.
    if (url && drawn.current?.complete) drawn.current.decode().catch(() => setBroken(url));
  }, [url]);
  if (!url || broken === url) return fallback;
  return (
    <img
      ref={drawn}
      src={url}
      alt={alt}
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(url)}
      {...img}
    />
  );
}
