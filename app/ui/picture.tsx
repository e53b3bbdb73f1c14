import type { ImgHTMLAttributes, ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import {
  MODERN_FORMATS,
  type PictureFormat,
  pictureName,
  pictureSizes,
  readPictureAddress,
  type StoredPicture,
} from "#app/kit/files/pictures.ts";

type Props = {
  url: string | null | undefined;
  fallback: ReactNode;
  /** The width at which it is displayed, if not `width`: as the attribute `sizes`. */
  sizes?: string;
} & Omit<ImgHTMLAttributes<HTMLImageElement>, "src" | "sizes">;

/**
 * Renders every image URL of sellers: one of ours in the size and format that suits the screen, any other unchanged.
 * `fallback` replaces a missing picture, or one that the browser cannot decode. Styling comes from the caller's
 * `className`.
 */
export function Picture({ url, fallback, alt = "", sizes, ...img }: Props) {
  const [broken, setBroken] = useState<string | null>(null);
  const imageRef = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // An image that failed before hydration raises no event any more.
    if (url && imageRef.current?.complete) imageRef.current.decode().catch(() => setBroken(url));
  }, [url]);
  if (!url || broken === url) return fallback;
  const ours = readPictureAddress(url);
  const image = (
    <img
      ref={imageRef}
      alt={alt}
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(url)}
      {...img}
      {...(ours ? sourcesOf(ours, ours.format, img, sizes) : { src: url })}
    />
  );
  if (!ours) return image;
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
      {image}
    </picture>
  );
}

type Ours = StoredPicture & { prefix: string };

/**
 * The attributes of a picture of ours in one format. Its height follows its aspect ratio, so that loading does not shift
 * the layout.
 */
function sourcesOf(
  ours: Ours,
  format: PictureFormat,
  { width }: { width?: number | string | undefined },
  sizes: string | undefined,
) {
  const storedSizes = pictureSizes(ours.use, ours);
  const at = (size: { width: number; height: number }) =>
    `${ours.prefix}${ours.key}/${pictureName({ use: ours.use, format, ...size })}`;
  const across = Number(width) || ours.width;
  const least = (wanted: number) => storedSizes.find((size) => size.width >= wanted) ?? storedSizes.at(-1)!;
  const [once, twice] = [least(across), least(2 * across)];
  const shape = { width: across, height: Math.max(1, Math.round((across * ours.height) / ours.width)) };
  if (sizes)
    return {
      ...shape,
      sizes,
      src: at(storedSizes.at(-1)!),
      srcSet: storedSizes.map((size) => `${at(size)} ${size.width}w`).join(", "),
    };
  const srcSet = once === twice ? at(once) : `${at(once)}, ${at(twice)} 2x`;
  return { ...shape, src: at(once), srcSet };
}
