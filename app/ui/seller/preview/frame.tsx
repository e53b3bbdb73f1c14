import { ChevronUp, Monitor, Smartphone } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Scripted } from "#app/ui/seller/scripted.tsx";

/** The preview's viewport widths, in CSS pixels. */
const WIDTHS = { phone: 375, desk: 1200 };
export type PreviewWidth = keyof typeof WIDTHS;

const FRAME = "previa-quadro";

/**
 * A page with the seller's unsaved changes, at a phone's or a computer's width. The frame cannot read, run or navigate
 * anything: `allow-same-origin` without scripts only lets our own page replace its document.
 */
export function PreviewFrame(props: {
  title: string;
  src: string;
  formId: string;
  frame: RefObject<HTMLIFrameElement>;
  width: PreviewWidth;
  onWidth: (width: PreviewWidth) => void;
  onLoad: () => void;
  failed: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [folded, setFolded] = useState(false);
  const available = useAvailableSize(box);
  const width = WIDTHS[props.width];
  const scale = available ? Math.min(1, available.width / width) : 1;
  return (
    <section
      id="previa"
      aria-label={props.title}
      className="flex scroll-mt-20 flex-col overflow-hidden rounded-box border border-base-300 bg-base-100"
    >
      <div className="flex min-h-14 items-center justify-between gap-3 border-base-300 border-b px-4 py-1.5">
        <h2 className="font-semibold text-sm">{props.title}</h2>
        <Scripted
          plain={
            <button
              type="submit"
              form={props.formId}
              formAction={props.src}
              formEncType="application/x-www-form-urlencoded"
              formTarget={FRAME}
              className="btn btn-sm min-h-11"
            >
              Visualizar
            </button>
          }
        >
          <div className="flex gap-1">
            {!folded && <WidthSwitch width={props.width} onWidth={props.onWidth} />}
            <button
              type="button"
              aria-expanded={!folded}
              aria-controls="previa-folha"
              onClick={() => setFolded(!folded)}
              className="btn btn-ghost btn-square size-11 xl:hidden"
            >
              <ChevronUp className={`size-5 ${folded ? "rotate-180" : ""}`} aria-hidden="true" />
              <span className="sr-only">Prévia aberta</span>
            </button>
          </div>
        </Scripted>
      </div>
      <p role="status" className={props.failed ? "bg-warning/20 px-4 py-2 text-xs" : "sr-only"}>
        {props.failed && "A prévia não pôde ser atualizada agora. O que você digitou continua aqui."}
      </p>
      <div
        ref={box}
        id="previa-folha"
        className={`relative flex h-48 justify-center overflow-hidden bg-base-200 sm:h-80 ${folded ? "max-xl:hidden" : ""} xl:h-[calc(100dvh-16rem)] xl:min-h-96`}
      >
        <iframe
          ref={props.frame}
          name={FRAME}
          title={props.title}
          src={props.src}
          sandbox="allow-same-origin"
          onLoad={props.onLoad}
          className={available ? "absolute top-0 max-w-none origin-top" : "h-full w-full"}
          style={
            available
              ? {
                  width,
                  height: available.height / scale,
                  left: (available.width - width) / 2,
                  transform: `scale(${scale})`,
                }
              : undefined
          }
        />
      </div>
    </section>
  );
}

function WidthSwitch({ width, onWidth }: { width: PreviewWidth; onWidth: (width: PreviewWidth) => void }) {
  const choices = [
    ["phone", "Celular", Smartphone],
    ["desk", "Computador", Monitor],
  ] as const;
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">Largura da prévia</legend>
      {choices.map(([value, label, Icon]) => (
        <button
          key={value}
          type="button"
          aria-pressed={width === value}
          title={label}
          onClick={() => onWidth(value)}
          className={`btn btn-square size-11 ${width === value ? "btn-active" : "btn-ghost"}`}
        >
          <Icon className="size-5" aria-hidden="true" />
          <span className="sr-only">{label}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** The size available to an element, in CSS pixels; null before the browser reports it. */
function useAvailableSize(box: RefObject<HTMLDivElement>) {
  const [available, setAvailable] = useState<{ width: number; height: number } | null>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setAvailable({ width, height });
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [box]);
  return available;
}
