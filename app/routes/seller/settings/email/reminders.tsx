import { MAX_REMINDERS, REMINDER_CHOICES } from "#app/domain/reminder/schedule/reminder-times.ts";
import { paths } from "#app/kit/paths.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { type FormReply, RestoredForm, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { Select } from "#app/ui/seller/form/select.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

const OPTIONS = [
  { value: "", label: "Desligado" },
  ...REMINDER_CHOICES.map(({ minutes, label }) => ({ value: String(minutes), label: `${label} depois` })),
];

/** When buyers are reminded of a PIX they have not paid. */
export function RemindersCard(props: { reminders: number[]; version: string; result: FormReply | null }) {
  const { values, key, onSaved } = useRestoredForm("reminders", props);
  const { result } = props;
  const posted = result?.initialValue?.reminder as string[] | undefined;
  const chosen = posted ?? values.reminders.map(String);
  const rows = Array.from({ length: MAX_REMINDERS }, (_, at) => chosen[at] ?? "");
  return (
    <Card
      title="Lembretes de PIX não pago"
      text="Param quando o comprador paga ou pede para não receber. Cada um leva um PIX válido."
    >
      <RestoredForm
        key={key}
        id="reminders"
        version={values.version}
        intent="reminders"
        reply={result}
        reload={paths.emailSettings()}
        onSaved={onSaved}
        className="flex flex-col gap-4"
      >
        <FormErrors errors={result?.error?.[""] ?? undefined} />
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
      </RestoredForm>
    </Card>
  );
}
