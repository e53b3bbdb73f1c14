import { Link } from "@remix-run/react";
import { ArrowDown, ArrowUp, ExternalLink, FileText, NotebookText, Pencil, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { ContentItem } from "#app/domain/content/find-content-items.server.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import { pick } from "#app/kit/pick.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { useFocusFollows } from "#app/ui/seller/form/use-focus-follows.ts";

const ICONS = { file: FileText, link: ExternalLink, text: NotebookText };

/** A file, link or text of a content, with all its actions. `query` in the URL opens its form. */
export function ItemRow(props: {
  item: ContentItem;
  first: boolean;
  last: boolean;
  editHref: string;
  /** The version of the items' order. */
  order: string;
  children?: ReactNode;
}) {
  const { item } = props;
  const box = useFocusFollows<HTMLLIElement>(Boolean(props.children));
  const Icon = ICONS[item.kind];
  return (
    <li ref={box} className="py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon className="size-5 shrink-0 text-base-content/60" aria-hidden="true" />
        <div className="min-w-40 flex-1">
          <p className="break-words font-medium text-sm">{item.name}</p>
          <p className="break-words text-base-content/70 text-xs">{about(item)}</p>
          {item.stamp.on && <StampedCopyBadge problem={item.stamp.problem} />}
          {item.file?.missing && <Badge tone="error">Arquivo perdido: envie de novo</Badge>}
        </div>
        <div className="ml-auto flex items-center">
          <Move
            item={item}
            order={props.order}
            intent="up"
            label="Subir"
            disabled={props.first}
            icon={<ArrowUp className="size-4" aria-hidden="true" />}
          />
          <Move
            item={item}
            order={props.order}
            intent="down"
            label="Descer"
            disabled={props.last}
            icon={<ArrowDown className="size-4" aria-hidden="true" />}
          />
          <Link to={props.editHref} preventScrollReset data-opens="" className={ICON} title="Editar">
            <Pencil className="size-4" aria-hidden="true" />
            <span className="sr-only">Editar {item.name}</span>
          </Link>
          <ConfirmDialog
            trigger={<Trash2 className="size-4" aria-hidden="true" />}
            triggerLabel={`Remover ${item.name}`}
            triggerClassName={`${ICON} text-error`}
            title={`Remover ${item.name}?`}
            text="Quem já comprou também deixa de ver este item. Isso não pode ser desfeito."
          >
            <Form method="post">
              <input type="hidden" name="id" value={item.id} />
              <SubmitButton intent="remove" item={item.id} pending="Removendo..." className="btn-error">
                Remover
              </SubmitButton>
            </Form>
          </ConfirmDialog>
        </div>
      </div>
      {props.children}
    </li>
  );
}

/** Whether buyers get a stamped copy of the PDF; if not, why. */
function StampedCopyBadge({ problem }: { problem: string | null }) {
  if (problem === null) return <Badge tone="info">Carimbado para cada comprador</Badge>;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
      <Badge tone="warning">Entregue sem carimbo</Badge>
      {problem}
    </p>
  );
}

function Move(props: {
  item: ContentItem;
  order: string;
  intent: "up" | "down";
  label: string;
  disabled: boolean;
  icon: ReactNode;
}) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="id" value={props.item.id} />
      <input type="hidden" name="version" value={props.order} />
      <SubmitButton
        intent={props.intent}
        item={props.item.id}
        disabled={props.disabled}
        pending={<span className="sr-only">Movendo...</span>}
        className="btn-ghost btn-square size-11"
        title={props.label}
      >
        {props.icon}
        <span className="sr-only">
          {props.label} {props.item.name}
        </span>
      </SubmitButton>
    </Form>
  );
}

function about({ kind, name, url, html, file }: ContentItem): string {
  if (kind === "link") return url ?? "";
  if (kind === "text") return `Texto, ${(html ?? "").length.toLocaleString("pt-BR")} caracteres`;
  if (!file) return "";
  const named = file.name === name ? "" : `${file.name} · `;
  return `${named}${formatBytes(file.size)} · ${pick(TYPES, file.contentType ?? "") ?? "arquivo"}`;
}

/** A file's detected type, as a label. */
const TYPES: Record<string, string> = {
  "application/pdf": "PDF",
  "application/zip": "ZIP ou documento",
  "application/epub+zip": "livro EPUB",
  "application/x-rar-compressed": "RAR",
  "application/x-7z-compressed": "7z",
  "image/png": "imagem PNG",
  "image/jpeg": "imagem JPEG",
  "image/gif": "imagem GIF",
  "image/webp": "imagem WebP",
  "audio/mpeg": "áudio MP3",
  "audio/mp4": "áudio M4A",
  "video/mp4": "vídeo MP4",
  "video/quicktime": "vídeo MOV",
  "video/webm": "vídeo WebM",
};

const ICON = "btn btn-ghost btn-square size-11";
