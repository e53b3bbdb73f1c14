import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData } from "@remix-run/react";
import { useState } from "react";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { AssignColumns } from "#app/routes/seller/reports/import/assign-columns.tsx";
import { importStatement, sentPreview } from "#app/routes/seller/reports/import/import.server.ts";
import { ComparisonResult } from "#app/routes/seller/reports/import/result.tsx";
import { readPostedFiles } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { orUnreachable, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireSeller(request);
  return null;
}

/** The file is not stored: the page carries its content from the preview to the comparison. */
export async function action({ request }: ActionFunctionArgs) {
  const seller = await requireSeller(request);
  const { form, files } = await readPostedFiles(request);
  try {
    await throttle("import-statement", request, seller.id);
    return await importStatement(seller.id, form, files.get("file"));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const failure = toFailure(error, request);
    const { status, message, field = null } = failure;
    return data(
      { failed: message, field, preview: sentPreview(form) },
      { status, headers: retryHeaders(failure) },
    );
  }
}

export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  const failed = "Sem conexão: nada foi comparado.";
  return orUnreachable(serverAction<typeof action>(), { failed, field: null, preview: null });
}

export { unlessUnreachable as shouldRevalidate };

export default function ImportStatement() {
  const reply = useActionData<typeof clientAction>();
  const refused = reply && "failed" in reply ? reply : null;
  // Without a network the columns stay as they were assigned.
  const [preview, setPreview] = useState(reply?.preview ?? null);
  const current = reply && "unreachable" in reply ? preview : (reply?.preview ?? null);
  if (current !== preview) setPreview(current);
  return (
    <Screen
      width="list"
      title="Conferir com extrato"
      text="Compare um CSV do provedor com as suas vendas. Nada é lançado a partir do arquivo: o que for diferente é perguntado ao provedor."
      back={{ to: paths.reports(), label: "Relatórios" }}
    >
      {refused && <Outcome about={refused} tone="error" text={refused.failed} />}
      <div className="flex flex-col gap-6">
        {reply && "comparison" in reply && reply.comparison && (
          <ComparisonResult comparison={reply.comparison} />
        )}
        {preview ? (
          <AssignColumns preview={preview} refused={refused} />
        ) : (
          <ChooseFile isWrong={refused?.field === "file"} />
        )}
      </div>
    </Screen>
  );
}

function ChooseFile({ isWrong }: { isWrong: boolean }) {
  return (
    <Card
      title="Arquivo"
      text="CSV de até 1 MB e 10.000 linhas, separado por vírgula, ponto e vírgula ou tabulação."
    >
      <Form method="post" encType="multipart/form-data" noValidate className="flex flex-wrap items-end gap-3">
        <label className="flex w-full min-w-0 flex-col gap-1 text-sm sm:w-auto">
          <span className="font-medium">Extrato do provedor</span>
          <input
            type="file"
            name="file"
            accept=".csv,.txt,.tsv,text/csv"
            required
            aria-invalid={isWrong || undefined}
            className={`file-input h-11 w-full ${isWrong ? "file-input-error" : ""}`}
          />
        </label>
        <SubmitButton pending="Lendo...">Ver as colunas</SubmitButton>
      </Form>
    </Card>
  );
}

export const meta: MetaFunction = () => [{ title: "Conferir com extrato · Checkintelli" }];
