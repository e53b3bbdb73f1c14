import { paths } from "#app/kit/paths.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { type FormReply, RestoredForm, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";

type Props = {
  account: {
    notifyNewSale: boolean;
    notifyFailedPayment: boolean;
    notifyWeeklyReport: boolean;
    notifyMonthlyReport: boolean;
  };
  version: string;
  lastResult: FormReply | null;
};

export function NotificationsTab(props: Props) {
  const { values, key, onSaved } = useRestoredForm("notifications", props);
  const { account, version } = values;
  const { lastResult } = props;
  const posted = lastResult?.initialValue;
  const rows = [
    ["email_new_sale", "Nova venda", "Um e-mail a cada venda paga.", account.notifyNewSale],
    [
      "email_failed_payment",
      "Pagamento não concluído",
      "Um e-mail quando um PIX não é gerado, ou quando o provedor cancela um pagamento. De um cartão recusado não: o comprador vê o motivo e pode tentar de novo.",
      account.notifyFailedPayment,
    ],
    [
      "email_weekly_report",
      "Relatório semanal",
      "Toda segunda-feira, o resumo da semana.",
      account.notifyWeeklyReport,
    ],
    ["email_monthly_report", "Relatório mensal", "No dia 1º, o resumo do mês.", account.notifyMonthlyReport],
  ] as const;
  return (
    <Card title="Notificações" text="O que enviamos para o seu e-mail.">
      <RestoredForm
        key={key}
        id="notifications"
        {...{ version, onSaved }}
        intent="notifications"
        reply={lastResult}
        reload={paths.settings("notificacoes")}
        className="flex flex-col gap-5"
      >
        <FormErrors errors={lastResult?.error?.[""] ?? undefined} />
        {rows.map(([name, label, help, on]) => (
          <Toggle
            key={name}
            field={{
              id: name,
              name,
              errors: undefined,
              errorId: `${name}-erro`,
              descriptionId: `${name}-ajuda`,
              initialValue: posted ? posted[name] === "on" : on,
            }}
            label={label}
            help={help}
          />
        ))}
        <SubmitButton intent="notifications" className="btn-primary self-start lg:hidden">
          Salvar notificações
        </SubmitButton>
      </RestoredForm>
    </Card>
  );
}
