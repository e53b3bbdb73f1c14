import { FileUp, Pause, Play, X } from "lucide-react";
import { useId, useState } from "react";
import { formatBytes } from "#app/kit/files/bytes.ts";
import type { Sending, useUploads } from "#app/ui/seller/content/use-uploads.ts";
import { Form } from "#app/ui/seller/form/form.tsx";

type Uploads = ReturnType<typeof useUploads>;

/** A drop zone and file picker, with a script: several files at once, of any size. */
export function Uploader({ uploads }: { uploads: Uploads }) {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void uploads.add(event.dataTransfer.files);
      }}
      className={`flex cursor-pointer flex-col items-center gap-2 rounded-box border-2 border-dashed px-4 py-8 text-center focus-within:outline-2 focus-within:outline-primary focus-within:outline-offset-2 ${over ? "border-primary bg-primary/10" : "border-base-300 hover:border-primary/60"}`}
    >
      <FileUp className="size-7 text-primary" aria-hidden="true" />
      <span className="font-medium">Enviar arquivos</span>
      <span className="text-base-content/70 text-sm">
        Solte aqui ou toque para escolher. Um envio cortado continua de onde parou, neste navegador.
      </span>
      <input
        id={id}
        type="file"
        multiple
        className="sr-only"
        onChange={({ currentTarget }) => {
          void uploads.add([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    </label>
  );
}

/** Uploads in progress, with their actions. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  if (uploads.uploads.length === 0) return null;
  return (
    <ul className="divide-y divide-base-300" aria-label="Envios">
      {uploads.uploads.map((one) => (
        <UploadRow key={one.id} one={one} uploads={uploads} />
      ))}
    </ul>
  );
}

function UploadRow({ one, uploads }: { one: Sending; uploads: Uploads }) {
  const percent = Math.floor((one.sent / one.size) * 100);
  const failed = one.state === "failed" || one.state === "refused";
  return (
    <li className="flex items-center gap-2 py-3">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium text-sm">{one.name}</p>
        <progress
          className={`progress mt-1 h-1.5 w-full ${failed ? "progress-error" : "progress-primary"}`}
          value={one.sent}
          max={one.size}
          aria-label={`Envio de ${one.name}`}
        />
        <p
          className={`text-xs tabular-nums ${failed ? "text-error" : "text-base-content/70"}`}
          role={failed ? "alert" : undefined}
        >
          {describeState(one, percent)}
        </p>
      </div>
      {(one.state === "sending" || one.state === "waiting") && (
        <button type="button" className={ICON} title="Pausar" onClick={() => uploads.pause(one.id)}>
          <Pause className="size-4" aria-hidden="true" />
          <span className="sr-only">Pausar {one.name}</span>
        </button>
      )}
      {(one.state === "paused" || one.state === "failed") && (
        <button type="button" className={ICON} title="Continuar" onClick={() => void uploads.resume(one.id)}>
          <Play className="size-4" aria-hidden="true" />
          <span className="sr-only">Continuar {one.name}</span>
        </button>
      )}
      {/* Without a script the form cancels one of an earlier visit, which takes the place of an item. */}
      <Form method="post">
        <input type="hidden" name="id" value={one.id} />
        <button
          type="submit"
          name="intent"
          value="cancel"
          className={ICON}
          title="Desistir"
          onClick={(event) => {
            event.preventDefault();
            void uploads.stop(one.id);
          }}
        >
          <X className="size-4" aria-hidden="true" />
          <span className="sr-only">Desistir de {one.name}</span>
        </button>
      </Form>
    </li>
  );
}

function describeState({ state, sent, size, message, replacedName }: Sending, percent: number): string {
  const far = `${formatBytes(sent)} de ${formatBytes(size)} · ${percent}%`;
  if (state === "waiting") return `${far} · ${message ?? "sem conexão"}, tentando de novo`;
  if (state === "paused") return `${far} · em pausa`;
  if (state === "asleep") {
    const where = replacedName ? ` em “Substituir o arquivo” de ${replacedName}` : " de novo";
    return `${far} · para continuar no mesmo navegador, escolha o mesmo arquivo${where}`;
  }
  return state === "failed" || state === "refused" ? (message ?? "O envio parou.") : far;
}

const ICON = "btn btn-ghost btn-square size-11";
