import { ImageIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { PictureUse } from "#app/kit/files/pictures.ts";
import { Picture } from "#app/ui/picture.tsx";

/** A picture as buyers will see it: in its size and shape, with its surroundings sketched. */
export function PictureUsePreview({ pictureUse, url }: { pictureUse: PictureUse; url: string | null }) {
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <div aria-hidden="true">{SKETCHES[pictureUse](url)}</div>
      <figcaption className="text-base-content/70 text-xs">{CAPTIONS[pictureUse]}</figcaption>
    </figure>
  );
}

const CAPTIONS: Record<PictureUse, string> = {
  product: "Como aparece no checkout",
  bump: "Como aparece na oferta do checkout",
  offer: "Como aparece na oferta depois da compra",
  banner: "Como aparece no topo do checkout",
  logo: "Como aparece no topo da página",
};

const SKETCHES: Record<PictureUse, (url: string | null) => ReactNode> = {
  product: (url) => (
    <Sheet>
      <PreviewImage url={url} width={72} className="size-18 shrink-0 rounded-lg object-contain" />
      <Lines />
    </Sheet>
  ),
  bump: (url) => (
    <Sheet>
      <span className="mt-0.5 size-5 shrink-0 self-start rounded-selector border-2 border-base-300" />
      <PreviewImage url={url} width={56} className="size-14 shrink-0 rounded-md object-contain" />
      <Lines />
    </Sheet>
  ),
  offer: (url) => (
    <div className="flex w-full max-w-xs flex-col gap-3 rounded-box border border-base-300 bg-base-100 p-3">
      <PreviewImage
        url={url}
        width={360}
        className="aspect-video w-full rounded-field bg-base-200 object-contain"
      />
      <Lines />
    </div>
  ),
  banner: (url) => (
    <PreviewImage
      url={url}
      width={1200}
      sizes="(min-width:48rem) 42rem, 100vw"
      className="aspect-[4/1] w-full rounded-box object-contain"
    />
  ),
  logo: (url) => (
    <div className="flex h-16 items-center rounded-box border border-base-300 bg-base-100 px-4">
      <PreviewImage url={url} width={160} className="h-10 w-auto max-w-48 rounded-sm object-contain" />
    </div>
  ),
};

function Sheet({ children }: { children: ReactNode }) {
  return (
    <div className="flex w-full max-w-xs items-center gap-3 rounded-box border border-base-300 bg-base-100 p-3">
      {children}
    </div>
  );
}

function PreviewImage(props: { url: string | null; width: number; sizes?: string; className: string }) {
  const placeholder = (
    <span
      className={`${props.className} flex min-w-14 items-center justify-center border border-base-content/20 border-dashed bg-base-200 text-base-content/40`}
    >
      <ImageIcon className="size-5" />
    </span>
  );
  return <Picture {...props} loading="lazy" fallback={placeholder} />;
}

/** A sketched name and price. */
function Lines() {
  return (
    <span className="flex min-w-0 flex-1 flex-col gap-2">
      <span className="h-2.5 w-4/5 rounded-full bg-base-content/20" />
      <span className="h-2.5 w-2/5 rounded-full bg-base-content/10" />
    </span>
  );
}
