import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { SECOND } from "#app/kit/duration.ts";
import { Scripted } from "#app/ui/seller/scripted.tsx";

const FEEDBACK_MS = 2 * SECOND;
/** Characters of a link or code, which is shown where it cannot be copied; longer texts stand beside their button. */
const MAX_SHOWN = 300;

/**
 * Copies `text`; a path is completed to an absolute URL. A check mark shows for two seconds and `done` is announced; where the browser
 * refuses, that is said. Not rendered without JavaScript: show the text beside it if it matters.
 */
export function CopyButton(props: {
  text: string;
  label: string;
  done?: string;
  iconOnly?: boolean;
  className?: string;
}) {
  const [copied, setCopied] = useState(0);
  const [failed, setFailed] = useState("");
  useEffect(() => {
    if (copied === 0) return;
    const timer = setTimeout(() => setCopied(0), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? Check : Copy;
  return (
    <Scripted>
      <button
        type="button"
        title={props.label}
        className={`btn min-h-11 ${props.className ?? "btn-ghost"} ${props.iconOnly ? "btn-square size-11" : ""}`}
        onClick={async () => {
          const text = props.text.startsWith("/") ? location.origin + props.text : props.text;
          const isCopied = await copyText(text);
          setCopied(isCopied ? Date.now() : 0);
          setFailed(isCopied ? "" : text);
        }}
      >
        <Icon className={`size-4 ${copied ? "text-success" : ""}`} aria-hidden="true" />
        <span className={props.iconOnly ? "sr-only" : ""}>{props.label}</span>
      </button>
      <span role="status" className={failed ? "wrap-anywhere text-error text-xs" : "sr-only"}>
        {failed
          ? `Não foi possível copiar${failed.length > MAX_SHOWN ? "." : `: ${failed}`}`
          : copied
            ? (props.done ?? "Copiado!")
            : ""}
      </span>
    </Scripted>
  );
}

/** The clipboard API exists only on https and localhost; elsewhere a selected textarea is copied. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    // Inside an open dialog everything outside is inert and cannot be selected.
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
