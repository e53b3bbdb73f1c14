import type { ImgHTMLAttributes, ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import {
  type KeptPicture,
  MODERN_FORMATS,
  type PictureFormat,
  pictureName,
  pictureSizes,
  readPictureAddress,
} from "#app/kit/files/pictures.ts";

type Props = {
  url: string | null | undefined;
  fallback: ReactNode;
  /** How wide it is drawn where that is not `width`: as the attribute `sizes`. */
  sizes?: string;
} & Omit<ImgHTMLAttributes<HTMLImageElement>, "src" | "sizes">;

/**
 * The one place where a seller's image address becomes a picture: one of ours in the size and format that suits the screen,
 * any other as it is. `fallback` stands in where there is none, and where the browser says that it is no picture. Looks come
 * from the caller's `className`.
 */
export function Picture({ url, fallback, alt = "", sizes, ...img }: Props) {
  const [broken, setBroken] = useState<string | null>(null);
  const drawn = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // What failed before this code arrived raises no event any more.
    if (url && drawn.current?.complete) drawn.current.decode().catch(() => setBroken(url));
  }, [url]);
  if (!url || broken === url) return fallback;
  const ours = readPictureAddress(url);
  const drawing = (
    <img
      ref={drawn}
      alt={alt}
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(url)}
      {...img}
      {...(ours ? sourcesOf(ours, ours.format, img, sizes) : { src: url })}
    />
  );
  if (!ours) return drawing;
  return (
    <picture>
      {MODERN_FORMATS.map((format) => (
        <source
          key={format}
          type={`image/${format}`}
          srcSet={sourcesOf(ours, format, img, sizes).srcSet}
          sizes={sizes}
        />
      ))}
      {drawing}
    </picture>
  );
}

type Ours = KeptPicture & { before: string };

/** The attributes of a picture of ours in one format. Its height follows its true shape, so that nothing moves when it comes. */
function sourcesOf(
  ours: Ours,
  format: PictureFormat,
  { width }: { width?: number | string | undefined },
  sizes: string | undefined,
) {
  const kept = pictureSizes(ours.place, ours);
  const at = (size: { width: number; height: number }) =>
    `${ours.before}${ours.key}/${pictureName({ place: ours.place, format, ...size })}`;
  const across = Number(width) || ours.width;
  const least = (wanted: number) => kept.find((size) => size.width >= wanted) ?? kept.at(-1)!;
  const [once, twice] = [least(across), least(2 * across)];
  const shape = { width: across, height: Math.max(1, Math.round((across * ours.height) / ours.width)) };
  if (sizes)
    return {
      ...shape,
      sizes,
      src: at(kept.at(-1)!),
      srcSet: kept.map((size) => `${at(size)} ${size.width}w`).join(", "),
    };
  const srcSet = once === twice ? at(once) : `${at(once)}, ${at(twice)} 2x`;
  return { ...shape, src: at(once), srcSet };
}
