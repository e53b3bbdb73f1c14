import { Link } from "@remix-run/react";
import { ChevronDown, ExternalLink, NotebookText, Package } from "lucide-react";
import { MAX_FORM_FILE_BYTES } from "#app/domain/content/limits.ts";
import type { ContentItem, OwnContent } from "#app/domain/content/list-content.server.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { ItemForm } from "#app/ui/seller/content/item-form.tsx";
import { ItemRow } from "#app/ui/seller/content/item-row.tsx";
import { Uploader, UploadList } from "#app/ui/seller/content/uploader.tsx";
import { useUploads } from "#app/ui/seller/content/use-uploads.ts";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Scripted } from "#app/ui/seller/scripted.tsx";

type Item = ContentItem & { version: string };

type Props = {
  productId: number;
  content: Omit<OwnContent, "items"> & { order: string; items: Item[] };
  editing: string | null;
  results: Record<string, FormReply>;
};

/** The existing items, uploads in progress, and forms to add more. */
export function ContentEditor({ productId, content, editing, results }: Props) {
  const uploads = useUploads({ productId, owner: content.key }, content.pending);
  return (
    <div className="flex flex-col gap-4">
      <Card title="O que o comprador recebe" flush>
        <div className="px-5 pb-4">
          {content.fileUrl && <SimpleLink productId={productId} url={content.fileUrl} />}
          {content.items.length > 0 && (
            <ul className="divide-y divide-base-300" aria-label="Itens">
              {content.items.map((item, at) => (
                <ItemRow
                  key={item.id}
                  item={item}
                  first={at === 0}
                  last={at === content.items.length - 1}
                  editHref={paths.productContent(productId, content.key, item.id)}
                  order={content.order}
                >
                  {editing === item.id && (
                    <EditItem
                      item={item}
                      reply={pick(results, item.id) ?? null}
                      onReplace={(file) => void uploads.add([file], item.id)}
                      productId={productId}
                      owner={content.key}
                    />
                  )}
                </ItemRow>
              ))}
            </ul>
          )}
          {content.items.length === 0 && !content.fileUrl && (
            <EmptyState
              icon={Package}
              title="Ainda não há conteúdo"
              text="Envie um arquivo, ou inclua um link ou um texto."
            />
          )}
          <UploadList uploads={uploads} />
        </div>
      </Card>
      <Card title="Incluir arquivos">
        <Scripted plain={<PlainUpload />}>
          <Uploader uploads={uploads} />
        </Scripted>
      </Card>
      {/* Text typed into an item that is gone carries that item's id and fills this form. */}
      <Add icon={ExternalLink} title="Incluir link" open={results["add-link"] !== undefined}>
        <ItemForm
          kind="link"
          intent="add-link"
          key={String(results["add-link"]?.initialValue?.id ?? "new")}
          reply={results["add-link"] ?? null}
          version={null}
          submit="Incluir link"
        />
      </Add>
      <Add icon={NotebookText} title="Incluir texto" open={results["add-text"] !== undefined}>
        <ItemForm
          kind="text"
          intent="add-text"
          key={String(results["add-text"]?.initialValue?.id ?? "new")}
          reply={results["add-text"] ?? null}
          version={null}
          submit="Incluir texto"
        />
      </Add>
    </div>
  );
}

function SimpleLink({ productId, url }: { productId: number; url: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-base-300 border-b py-3 text-sm">
      <ExternalLink className="size-5 shrink-0 text-base-content/60" aria-hidden="true" />
      <span className="min-w-40 flex-1 break-all">
        <span className="block font-medium">Link do arquivo</span>
        <span className="text-base-content/70 text-xs">{url}</span>
      </span>
      <Link
        to={paths.product(productId)}
        className="link link-primary ml-auto inline-flex min-h-11 items-center"
      >
        Mudar no produto
      </Link>
    </p>
  );
}

/** An existing item's form; for a file also the upload that replaces it. */
function EditItem(props: {
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
function PlainUpload({ replaces }: { replaces?: string }) {
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

function Add(props: { icon: typeof ExternalLink; title: string; open: boolean; children: React.ReactNode }) {
  const Icon = props.icon;
  return (
    <details className="group rounded-box border border-base-300 bg-base-100" open={props.open || undefined}>
      <summary className="flex min-h-12 cursor-pointer items-center gap-3 px-5 py-3 font-semibold">
        <Icon className="size-5 text-base-content/60" aria-hidden="true" />
        {props.title}
        <ChevronDown
          className="ml-auto size-5 text-base-content/60 transition-transform group-open:rotate-180"
          aria-hidden="true"
        />
      </summary>
      <div className="px-5 pb-5">{props.children}</div>
    </details>
  );
}
