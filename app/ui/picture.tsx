import type { ImgHTMLAttributes, ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import {
  MODERN_FORMATS,
  type PictureAddress,
  type PictureFormat,
  pictureName,
  pictureSizes,
  readPictureAddress,
} from "#app/kit/files/pictures.ts";

type Props = {
  url: string | null | undefined;
  fallback: ReactNode;
  /** Where the width depends on the window: the attribute `sizes`, by which the browser chooses. */
  sizes?: string;
} & Omit<ImgHTMLAttributes<HTMLImageElement>, "src" | "sizes">;

/**
 * Renders every image URL of sellers: one of ours in the size and format that suits the screen, any other unchanged.
 * `fallback` replaces a missing picture and, in the dashboard, one that the browser cannot decode: buyers' pages have no
 * script for that. Styling comes from the caller's `className`.
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

/**
 * The attributes of a picture of ours in one format. Its height follows its aspect ratio, so that loading does not shift
 * the layout.
 */
function sourcesOf(
  ours: PictureAddress,
  format: PictureFormat,
  { width }: { width?: number | string | undefined },
  sizes: string | undefined,
) {
  const storedSizes = pictureSizes(ours.use, ours);
  const at = (size: { width: number; height: number }) =>
    `${ours.prefix}${ours.key}/${pictureName({ use: ours.use, format, ...size })}`;
  const displayWidth = Number(width) || ours.width;
  const least = (wanted: number) => storedSizes.find((size) => size.width >= wanted) ?? storedSizes.at(-1)!;
  const [oneX, twoX] = [least(displayWidth), least(2 * displayWidth)];
  const shape = {
    width: displayWidth,
    height: Math.max(1, Math.round((displayWidth * ours.height) / ours.width)),
  };
  if (sizes)
    return {
      ...shape,
      sizes,
      src: at(storedSizes.at(-1)!),
      srcSet: storedSizes.map((size) => `${at(size)} ${size.width}w`).join(", "),
    };
  const srcSet = oneX === twoX ? at(oneX) : `${at(oneX)}, ${at(twoX)} 2x`;
  return { ...shape, src: at(oneX), srcSet };
}
