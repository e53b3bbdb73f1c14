import type { FieldMetadata } from "@conform-to/react";
import { ImageUp, X } from "lucide-react";
import { type ClipboardEvent, type DragEvent, useId, useState } from "react";
import { MAX_PICTURE_BYTES } from "#app/domain/picture/limits.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import { type PictureUse, readPictureAddress } from "#app/kit/files/pictures.ts";
import { Field } from "#app/ui/seller/form/field.tsx";
import { useHydrated } from "#app/ui/seller/hydrated.ts";
import { PictureUsePreview } from "#app/ui/seller/picture/picture-use-preview.tsx";
import { type PictureState, usePicture } from "#app/ui/seller/picture/use-picture.ts";
import { Scripted } from "#app/ui/seller/scripted.tsx";

/** Without HEIC, an iPhone converts its photos to JPEG by itself. */
const ACCEPTED_TYPES = "image/jpeg,image/png,image/webp,image/gif,image/avif";

type Props = {
  /** The picture's URL, ours or another. */
  field: FieldMetadata<string>;
  /** The field for the id of an uploaded picture. */
  file: FieldMetadata<string>;
  pictureUse: PictureUse;
  label: string;
  hint: string;
};

/**
 * A picture of a product, an upsell or a page: a URL typed or pasted, or a picture dropped, pasted or chosen, previewed as
 * buyers will see it. Without JavaScript it is sent with the form.
 */
export function PictureField({ field, file, pictureUse, label, hint }: Props) {
  const hydrated = useHydrated();
  const [over, setOver] = useState(false);
  const fill = (address: string) => type(field.id, address);
  const picture = usePicture({
    name: file.name,
    pictureUse,
    uploadedId: String(file.initialValue ?? ""),
    fill,
  });
  const address = isAddress(field.value) ? field.value : null;
  const isSent = address !== null && readPictureAddress(address) !== null;
  const isWide = pictureUse === "banner";
  const selectFiles = (files: FileList | null, event?: { preventDefault: () => void }) => {
    const first = [...(files ?? [])][0];
    if (!first) return;
    event?.preventDefault();
    picture.send(first);
  };
  const dropped = {
    onPaste: (event: ClipboardEvent) => selectFiles(event.clipboardData.files, event),
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      selectFiles(event.dataTransfer.files, event);
    },
  };
  return (
    <div className="@container flex flex-col gap-2" {...(hydrated ? dropped : {})}>
      <Field
        field={field}
        label={label}
        optional
        type="url"
        inputMode="url"
        placeholder="https://"
        help={`${hint} Envie, ou use o endereço de uma imagem.`}
        // The URL of an uploaded picture is of no use to people; removing the picture shows the field again.
        className={hydrated && isSent && !field.errors ? "[&_.input]:hidden" : ""}
      />
      {picture.id && <input type="hidden" name={file.name} value={picture.id} />}
      <div
        className={`overflow-hidden rounded-box border ${isWide ? "" : "@md:flex"} ${over ? "border-primary border-dashed bg-primary/10" : "border-base-300 bg-base-200/50"}`}
      >
        <div className={`p-3 sm:p-4 ${isWide ? "" : "@md:w-1/2"}`}>
          <PictureUsePreview pictureUse={pictureUse} url={address} />
        </div>
        <div
          className={`flex flex-wrap items-center justify-end gap-2 border-base-300 border-t bg-base-100 px-3 py-2 sm:px-4 ${isWide ? "" : "@md:w-1/2 @md:flex-col @md:items-start @md:justify-center @md:gap-3 @md:border-t-0 @md:border-l"}`}
        >
          <Scripted plain={<PlainFile name={file.name} label={label} />}>
            <StateMessage state={picture.state} isWide={isWide} />
            <Buttons
              label={label}
              picture={picture}
              hasOne={Boolean(field.value)}
              selectFiles={selectFiles}
              fill={fill}
            />
          </Scripted>
        </div>
      </div>
    </div>
  );
}

/** The upload's current state as text. */
function StateMessage({ state, isWide }: { state: PictureState; isWide: boolean }) {
  const failed = state.kind === "failed";
  return (
    <div
      className={`w-full min-w-0 text-sm ${isWide ? "flex-1 basis-40" : "@max-md:flex-1 @max-md:basis-40"}`}
    >
      <p role="status" className={failed ? "sr-only" : "text-base-content/70"}>
        {describeState(state)}
      </p>
      {failed && (
        <p role="alert" className="text-error">
          {state.message}
        </p>
      )}
      {state.kind === "sending" && (
        <progress
          className="progress progress-primary mt-1 h-1.5 w-full"
          value={state.sent}
          max={state.size}
          aria-label="Envio da imagem"
        />
      )}
      {state.kind === "preparing" && (
        <progress className="progress progress-primary mt-1 h-1.5 w-full" aria-label="Preparo da imagem" />
      )}
    </div>
  );
}

function describeState(state: PictureState): string {
  if (state.kind === "sending") return `Enviando… ${formatBytes(state.sent)} de ${formatBytes(state.size)}`;
  if (state.kind === "preparing") return "Preparando…";
  if (state.kind === "ready") return `Pronta: salve para usar. ${state.message ?? ""}`;
  return state.kind === "still"
    ? `Solte uma imagem aqui, cole ou escolha, de até ${formatBytes(MAX_PICTURE_BYTES)}.`
    : "";
}

function Buttons(props: {
  label: string;
  picture: ReturnType<typeof usePicture>;
  hasOne: boolean;
  selectFiles: (files: FileList | null) => void;
  fill: (address: string) => void;
}) {
  const id = useId();
  const { label, picture, hasOne } = props;
  const isBusy = picture.state.kind === "sending" || picture.state.kind === "preparing";
  return (
    <div className="flex flex-wrap items-center justify-end gap-1">
      {(isBusy || hasOne) && (
        <button
          type="button"
          className="btn btn-ghost min-h-11"
          onClick={() => (isBusy ? picture.stop() : props.fill(""))}
        >
          <X className="size-4" aria-hidden="true" />
          {isBusy ? "Cancelar" : "Tirar"}
          <span className="sr-only"> {label.toLowerCase()}</span>
        </button>
      )}
      <label
        htmlFor={id}
        className="btn min-h-11 cursor-pointer border-base-300 bg-base-100 focus-within:outline-2 focus-within:outline-primary focus-within:outline-offset-2"
      >
        <ImageUp className="size-4" aria-hidden="true" />
        {hasOne ? "Trocar" : "Enviar"} imagem
        <span className="sr-only">: {label}</span>
        <input
          id={id}
          type="file"
          accept={ACCEPTED_TYPES}
          className="sr-only"
          onChange={({ currentTarget }) => {
            props.selectFiles(currentTarget.files);
            currentTarget.value = "";
          }}
        />
      </label>
    </div>
  );
}

/** Works before, and without, a script: the picture is sent with the form. */
function PlainFile({ name, label }: { name: string; label: string }) {
  const id = useId();
  return (
    <div className="flex w-full min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium text-sm">
        Enviar imagem<span className="sr-only">: {label}</span>
      </label>
      <input id={id} type="file" name={name} accept={ACCEPTED_TYPES} className="file-input h-11 w-full" />
      <p className="text-base-content/70 text-xs">Ela é enviada quando você salva; até 8 MB.</p>
    </div>
  );
}

/** Sets a field's value as typing would, so that listeners are notified. */
function type(id: string, text: string): void {
  const input = document.getElementById(id) as HTMLInputElement | null;
  if (!input) return;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(input, text);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function isAddress(value: string | undefined): value is string {
  return value !== undefined && /^https?:\/\//i.test(value) && URL.canParse(value);
}
