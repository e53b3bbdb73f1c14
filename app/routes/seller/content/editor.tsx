import { Link } from "@remix-run/react";
import { ChevronDown, ExternalLink, NotebookText, Package } from "lucide-react";
import type { OwnContent } from "#app/domain/content/list-content.server.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { EditItem, type Item, PlainUpload } from "#app/routes/seller/content/edit-item.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { ItemForm } from "#app/ui/seller/content/item-form.tsx";
import { ItemRow } from "#app/ui/seller/content/item-row.tsx";
import { Uploader, UploadList } from "#app/ui/seller/content/uploader.tsx";
import { useUploads } from "#app/ui/seller/content/use-uploads.ts";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";
import { Scripted } from "#app/ui/seller/scripted.tsx";

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
          {content.fileUrl && (
            <SimpleLink
              to={content.isDeleted || content.owner.kind === "removed" ? null : paths.product(productId)}
              url={content.fileUrl}
            />
          )}
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

/** `to`: where it is changed; of a deleted product, or what was removed from one, there is no such page. */
function SimpleLink({ to, url }: { to: string | null; url: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-base-300 border-b py-3 text-sm">
      <ExternalLink className="size-5 shrink-0 text-base-content/60" aria-hidden="true" />
      <span className="min-w-40 flex-1 break-all">
        <span className="block font-medium">Link do arquivo</span>
        <span className="text-base-content/70 text-xs">{url}</span>
      </span>
      {to && (
        <Link to={to} className="link link-primary ml-auto inline-flex min-h-11 items-center">
          Mudar no produto
        </Link>
      )}
    </p>
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
