import { Link, useSearchParams } from "@remix-run/react";
import { ExternalLink, Pencil } from "lucide-react";
import type { SaleView } from "#app/domain/reports/show-sale.server.ts";
import { buyerLabel } from "#app/domain/sale/buyer-label.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { formatPhone, whatsAppLink } from "#app/kit/phone.ts";
import { CustomerForm } from "#app/routes/seller/sale/customer-form.tsx";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card, Item } from "#app/ui/seller/card.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { type FormReply, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { useFocusFollows } from "#app/ui/seller/form/use-focus-follows.ts";

type Sale = SaleView["sale"];

/** The buyer's answer to whether advertisers may be notified. */
function consentText(agreed: boolean | null): string {
  if (agreed === null) return "Não foi perguntado";
  return agreed ? "Aceitou informar os anunciantes" : "Não aceitou: os anunciantes não recebem os dados dele";
}

/** The button that shows a buyer's complete document. */
export const SHOW_DOCUMENT = "show-document";

type Props = {
  sale: Sale;
  version: string;
  editing: boolean;
  /** The buyer's complete document, once requested. */
  document: string | null;
  lastResult: FormReply | null;
};

/** The buyer. Name and e-mail can be corrected; whether they are being edited is in the URL. */
export function SaleCustomer(props: Props) {
  const box = useFocusFollows<HTMLDivElement>(props.editing);
  return (
    <div ref={box}>
      <Customer key={String(props.editing)} {...props} />
    </div>
  );
}

function Customer(props: Props) {
  const { sale, editing } = props;
  const { values, key, onSaved } = useRestoredForm("cliente", props);
  const [query] = useSearchParams();
  const edit = new URLSearchParams(query);
  edit.set("edit", "customer");
  const isAnonymous = sale.anonymizedReason && !sale.isPaidAnonymous;
  return (
    <Card
      title="Dados do Cliente"
      action={
        !editing &&
        !isAnonymous && (
          <Link
            to={paths.sale(sale.id, edit.toString())}
            preventScrollReset
            replace
            data-opens=""
            className="btn btn-ghost btn-sm min-h-11"
          >
            <Pencil className="size-4" aria-hidden="true" />
            Editar
            <span className="sr-only"> dados do cliente</span>
          </Link>
        )
      }
    >
      {isAnonymous ? (
        <div className="flex flex-col gap-4">
          {/* The form that was sent is gone from the screen with the buyer's data. */}
          {props.lastResult && (
            <Alert
              tone="error"
              text="Nada foi salvo: os dados do comprador foram apagados depois que você abriu a página."
            />
          )}
          <dl className="grid gap-4 text-sm sm:grid-cols-2">
            <Item label="Nome">{buyerLabel(sale)}</Item>
            <Item label="Data da compra">{formatDateTime(sale.createdAt)}</Item>
            <p className="text-base-content/70 text-xs sm:col-span-2">
              Ficam valores, datas, produtos e os números da venda e do pagamento. Precisa devolver o valor? A
              devolução vai para quem pagou, sem os dados do comprador.
            </p>
          </dl>
        </div>
      ) : editing ? (
        <CustomerForm key={key} {...values} lastResult={props.lastResult} onSaved={onSaved} />
      ) : (
        <dl className="grid gap-4 text-sm sm:grid-cols-2">
          <Item label="Nome">{buyerLabel(sale) || "N/A"}</Item>
          <Item label="Email">{sale.customerEmail || "N/A"}</Item>
          <Item label="WhatsApp">{sale.customerPhone ? <WhatsApp phone={sale.customerPhone} /> : "N/A"}</Item>
          <Document mask={sale.documentMask} seen={props.document} />
          <Item label="IP">{sale.customerIp || "N/A"}</Item>
          <Item label="Data da compra">{formatDateTime(sale.createdAt)}</Item>
          <Item label="Medição de anúncios">{consentText(sale.adConsent)}</Item>
          {sale.isPaidAnonymous && (
            <p className="text-base-content/70 text-xs sm:col-span-2">
              O pagamento chegou depois que os dados foram apagados: a compra abre só no navegador em que foi
              feita. Se quem pagou procurar você, edite o e-mail, e o acesso vai para ele.
            </p>
          )}
        </dl>
      )}
    </Card>
  );
}

function WhatsApp({ phone }: { phone: string }) {
  return (
    <a
      href={whatsAppLink(phone)}
      target="_blank"
      rel="noreferrer"
      className="link inline-flex min-h-11 items-center gap-1 sm:min-h-0"
    >
      {formatPhone(phone)}
      <ExternalLink className="size-3.5" aria-hidden="true" />
      <span className="sr-only">(conversa no WhatsApp, em outra aba)</span>
    </a>
  );
}

/** Masked until requested; the number is not in the URL, so nobody finds it there later. */
function Document({ mask, seen }: { mask: string | null; seen: string | null }) {
  const label = mask === null ? "CPF ou CNPJ" : mask.includes("/") ? "CNPJ" : "CPF";
  return (
    <Item label={label}>
      {mask === null ? (
        "N/A"
      ) : seen !== null ? (
        <span role="status" className="flex items-center gap-1 tabular-nums">
          {seen}
          <CopyButton text={seen} label={`Copiar ${label}`} iconOnly />
        </span>
      ) : (
        <Form method="post" preventScrollReset replace className="flex flex-wrap items-center gap-x-2">
          <span className="tabular-nums">{mask}</span>
          <SubmitButton intent={SHOW_DOCUMENT} pending="Abrindo..." className="btn-ghost btn-sm">
            Mostrar {label}
          </SubmitButton>
        </Form>
      )}
    </Item>
  );
}
