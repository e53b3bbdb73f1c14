import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { MOST_REMINDERS, REMINDER_CHOICES } from "#app/domain/reminder/schedule/reminder-times.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Select } from "#app/ui/seller/form/select.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

const OPTIONS = [
  { value: "", label: "Desligado" },
  ...REMINDER_CHOICES.map(({ minutes, label }) => ({ value: String(minutes), label: `${label} depois` })),
];

/** When buyers are reminded of a PIX they have not paid. */
export function RemindersCard({
  reminders,
  result,
}: {
  reminders: number[];
  result: SubmissionResult | null;
}) {
  const rows = Array.from({ length: MOST_REMINDERS }, (_, at) => String(reminders[at] ?? ""));
  const [form] = useForm({ id: "reminders", lastResult: result });
  return (
    <Card
      title="Lembretes de PIX não pago"
      text="Param quando o comprador paga ou pede para não receber. Cada um leva um PIX válido."
    >
      <Form method="post" {...getFormProps(form)} className="flex flex-col gap-4">
        <FormErrors errors={form.errors} />
        {rows.map((minutes, at) => (
          <Select
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are the first, second and third reminder.
            key={at}
            field={{
              id: `reminder-${at}`,
              name: `reminder[${at}]`,
              errors: undefined,
              errorId: `reminder-${at}-erro`,
              descriptionId: `reminder-${at}-ajuda`,
              initialValue: minutes,
            }}
            label={`${at + 1}º lembrete`}
            options={OPTIONS}
          />
        ))}
        <SubmitButton intent="reminders" className="btn-outline self-start">
          Salvar lembretes
        </SubmitButton>
      </Form>
    </Card>
  );
}
