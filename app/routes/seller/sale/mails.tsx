import { describeMailProblem } from "#app/domain/reports/describe-mail-problem.ts";
import type { LoggedSaleMail } from "#app/domain/reports/list-sale-mails.server.ts";
import type { SaleView } from "#app/domain/reports/show-sale.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { MailBadge } from "#app/ui/seller/mail-badge.tsx";
import { ResendAccess } from "#app/ui/seller/sale/resend-access.tsx";

/** The mails that gave a buyer access, and a button to send another. */
export function SaleMails(props: { sale: SaleView["sale"]; mails: LoggedSaleMail[] }) {
  const { sale, mails } = props;
  return (
    <Card
      id="emails"
      title="Entrega de Emails"
      action={<ResendAccess sale={sale} label="Reenviar Acesso" className="btn-sm" />}
    >
      {mails.length === 0 ? (
        <>
          <p className="text-base-content/70 text-sm">Nenhum log de email encontrado para esta venda</p>
          <p className="mt-1 text-base-content/70 text-xs">
            Aqui ficam os e-mails com o acesso. Os outros estão no histórico, abaixo.
          </p>
        </>
      ) : (
        <ul className="divide-y divide-base-300">
          {mails.map((mail) => (
            <li key={mail.id} className="py-3 text-sm first:pt-0 last:pb-0">
              <p className="flex flex-wrap items-center justify-between gap-2">
                <span className="min-w-0 break-all">{mail.recipient || "Endereço apagado"}</span>
                <MailBadge status={mail.status} />
              </p>
              <p className="mt-1 text-base-content/70 text-xs">
                Tentativa {mail.attempts} · Criado em {formatDateTime(mail.createdAt)}
                {mail.sentAt && ` · Enviado em ${formatDateTime(mail.sentAt)}`}
              </p>
              {describeMailProblem(mail) && (
                <p className="mt-1 break-words text-error text-xs">{describeMailProblem(mail)}</p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
