import { useSearchParams } from "@remix-run/react";
import { DOWNLOADS_PER_SALE } from "#app/domain/access/limits.ts";
import { paths } from "#app/kit/paths.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type DownloadView = {
  itemId: string;
  name: string;
  line: string;
  total: number;
  counted: number;
  last: string | null;
};

/** How often the buyer downloaded each file, and a form to allow more. */
export function SaleDownloads({ saleId, files }: { saleId: string; files: DownloadView[] }) {
  const [query] = useSearchParams();
  if (files.length === 0) return null;
  const action = paths.allowDownloads(saleId);
  return (
    <Card
      title="Downloads"
      text={`Cada arquivo pode ser baixado ${DOWNLOADS_PER_SALE} vezes por compra. Quando você o substitui, a contagem recomeça.`}
      action={
        files.some(({ counted }) => counted > 0) && (
          <Form method="post" action={action}>
            <input type="hidden" name="query" value={query.toString()} />
            <SubmitButton action={action} pending="Liberando..." className="border-base-300 bg-base-100">
              Liberar novos downloads
            </SubmitButton>
          </Form>
        )
      }
    >
      <ul className="divide-y divide-base-300">
        {files.map((file) => (
          <li
            key={file.itemId + file.line}
            className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-2.5 text-sm"
          >
            <span className="min-w-0 break-words">
              <span className="font-medium">{file.name}</span>
              <span className="text-base-content/70"> · {file.line}</span>
            </span>
            <span className="tabular-nums text-base-content/80">
              {file.counted} de {DOWNLOADS_PER_SALE}
              {file.total > file.counted && ` (${file.total} ao todo)`}
              {file.last && ` · último em ${file.last}`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
