import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Notice } from "#app/ui/seller/notice.tsx";

/** What was saved elsewhere meanwhile. `version` is the one that stands there now. */
export type Conflict = {
  version: string | number;
  differences: { label: string; saved: string; mine: string }[];
};

/** What the location of a page carries whose form is to be filled anew, whatever was typed. */
export const START_OVER = { startOver: true };

/** Tells that somebody saved in between, what differs, and lets the seller decide. Stands inside the form. */
export function SaveConflict({ conflict, reload }: { conflict: Conflict; reload: string }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conflict is news, though the box is the same.
  useEffect(() => box.current?.focus(), [conflict]);
  const { differences, version } = conflict;
  return (
    <div ref={box} tabIndex={-1} role="alert" className="outline-none">
      <Notice tone="warning" live={false}>
        <p className="font-semibold">Isto foi salvo em outra aba ou por outra pessoa.</p>
        <p className="mt-1">
          {differences.length > 0
            ? "Nada se perdeu: o que você preencheu continua abaixo e ainda não foi salvo. O que difere:"
            : "O que está salvo agora é igual ao que você preencheu."}
        </p>
        {differences.length > 0 && (
          <ul className="mt-2 flex flex-col gap-1.5">
            {differences.map(({ label, saved, mine }) => (
              <li key={label} className="break-words">
                <strong className="font-medium">{label}</strong>: salvo{" "}
                <q className="wrap-anywhere">{saved}</q>, aqui <q className="wrap-anywhere">{mine}</q>
              </li>
            ))}
          </ul>
        )}
        <div className="mt-3 flex flex-wrap gap-2">
          <button type="submit" name="over" value={version} className="btn btn-sm btn-neutral min-h-11">
            Salvar o meu por cima
          </button>
          <Link to={reload} state={START_OVER} className="btn btn-sm min-h-11">
            Descartar o meu e ver o salvo
          </Link>
        </div>
      </Notice>
    </div>
  );
}
