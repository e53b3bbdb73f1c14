import { Link } from "@remix-run/react";
import type { ContentItem } from "#app/domain/content/find-content-items.server.ts";
import { MAX_FORM_FILE_BYTES } from "#app/domain/content/limits.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import { paths } from "#app/kit/paths.ts";
import { ItemForm } from "#app/ui/seller/content/item-form.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Scripted } from "#app/ui/seller/scripted.tsx";

/** An item with the version that its form shows. */
export type Item = ContentItem & { version: string };

/** An existing item's form; for a file also the upload that replaces it. */
export function EditItem(props: {
  item: Item;
  reply: FormReply | null;
  onReplace: (file: File) => void;
  productId: number;
  owner: string;
}) {
  const { item, onReplace } = props;
  return (
    <div className="mt-3 flex flex-col gap-4 rounded-field bg-base-200 p-4">
      <ItemForm
        kind={item.kind}
        intent="save"
        id={item.id}
        defaults={{
          name: item.name,
          ...(item.url ? { url: item.url } : {}),
          ...(item.html ? { html: item.html } : {}),
          ...(item.stamp.on ? { stamp: "on" } : {}),
        }}
        unstampable={item.stamp.problem}
        reply={props.reply}
        version={item.version}
        reload={paths.productContent(props.productId, props.owner, item.id)}
        submit="Salvar"
      />
      {item.kind === "file" && (
        <div className="border-base-300 border-t pt-4">
          <Scripted plain={<PlainUpload replaces={item.id} />}>
            <label className="flex flex-col gap-1.5 text-sm">
              <span className="font-medium">Substituir o arquivo</span>
              <input
                type="file"
                className="file-input h-11 w-full"
                onChange={({ currentTarget }) => {
                  const [file] = currentTarget.files ?? [];
                  if (file) onReplace(file);
                  currentTarget.value = "";
                }}
              />
              <span className="text-base-content/70 text-xs">O novo vale também para quem já comprou.</span>
            </label>
          </Scripted>
        </div>
      )}
      <Link
        to={paths.productContent(props.productId, props.owner)}
        preventScrollReset
        className="btn btn-ghost min-h-11 self-start"
      >
        Fechar
      </Link>
    </div>
  );
}

/** The form for browsers without scripts: one small file at a time. */
export function PlainUpload({ replaces }: { replaces?: string }) {
  return (
    <Form method="post" encType="multipart/form-data" noValidate className="flex flex-col gap-3">
      {replaces && <input type="hidden" name="id" value={replaces} />}
      <label className="flex flex-col gap-1.5 text-sm">
        <span className="font-medium">{replaces ? "Substituir o arquivo" : "Arquivo"}</span>
        <input type="file" name="file" className="file-input h-11 w-full" required />
        <span className="text-base-content/70 text-xs">
          Até {formatBytes(MAX_FORM_FILE_BYTES)} sem JavaScript; com ele, de qualquer tamanho.
        </span>
      </label>
      <SubmitButton intent="send" pending="Enviando..." className="btn-primary self-start">
        Enviar arquivo
      </SubmitButton>
    </Form>
  );
}
