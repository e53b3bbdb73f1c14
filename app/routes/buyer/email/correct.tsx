import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { isPlacedInBrowser } from "#app/domain/access/refuse-old-link.server.ts";
import { correctEmail, refuseReturned } from "#app/domain/buyer/correct-email.server.ts";
import {
  type CorrectablePurchase,
  findCorrectablePurchase,
  requestEmailCorrection,
} from "#app/domain/buyer/request-email-correction.server.ts";
import { UNPAID } from "#app/domain/sale/states.ts";
import { buildPalette, thankYouColors } from "#app/domain/storefront/build-palette.ts";
import { findThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { cleanMail } from "#app/kit/buyer-fields.ts";
import { isMailAddress, maskMail } from "#app/kit/mail-address.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { parseFormData } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { buyerPage, pageResponse, renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { type Failure, retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { readProof } from "#app/server/session/proof.server.ts";
import { CorrectEmailPage } from "#app/ui/buyer/email/correct-email-page.tsx";
import { describeCorrection } from "#app/ui/buyer/email/describe-correction.ts";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { BUYER_SHELL } from "#app/ui/buyer/page-shell.tsx";

const TITLE = "Corrigir o e-mail";

/**
 * A mistyped e-mail: corrected at once in the browser that ordered; from elsewhere with a button in a mail to the current
 * address.
 */
export async function loader(args: LoaderFunctionArgs) {
  return opened(args, async (sale, isOrderingBrowser) =>
    renderForm(sale, isOrderingBrowser, { email: "", error: null, alert: null }),
  );
}

export async function action(args: ActionFunctionArgs) {
  return opened(args, async (sale, isOrderingBrowser, request) => {
    const email = cleanMail(String((await parseFormData(request)).get("email") ?? "").slice(0, 300));
    if (!isMailAddress(email)) {
      const error = email === "" ? "E-mail é obrigatório" : "E-mail inválido";
      return renderForm(sale, isOrderingBrowser, { email, error, alert: null }, { status: 400 });
    }
    if (isOrderingBrowser && email === sale.customerEmail) {
      const error = "Este já é o e-mail da compra";
      return renderForm(sale, isOrderingBrowser, { email, error, alert: null }, { status: 400 });
    }
    try {
      // Limited separately: a stranger who knows the URL cannot block corrections in the browser that ordered. Elsewhere by the address
      // that is mailed, since anybody can place more orders with it.
      const rootId = sale.parentSaleId ?? sale.saleId;
      const target = isOrderingBrowser ? `${rootId} by its placer` : (sale.customerEmail ?? rootId);
      await throttle("correct", request, target);
      if (!isOrderingBrowser) return await requestCorrection(sale, email);
      await correctEmail(sale.saleId, email);
      return corrected(sale, email);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const failure = toFailure(error, request);
      return renderForm(sale, isOrderingBrowser, { email, error: null, alert: failure.message }, failure);
    }
  });
}

/** `back`: its page, with the key of the mailed link that was opened. */
type Opened = CorrectablePurchase & { back: string };

/** The purchase, unless it was returned: its page, with the link to this one, may have been opened before that. */
function opened(
  args: LoaderFunctionArgs | ActionFunctionArgs,
  answer: (sale: Opened, isOrderingBrowser: boolean, request: Request) => Promise<Response>,
): Promise<Response> {
  return buyerPage(BUYER_SHELL, args, async ({ request, params }) => {
    const found = await findCorrectablePurchase(params.saleId ?? "");
    const { placedSaleIds, key } = await readProof(request);
    const sale = {
      ...found,
      back: paths[UNPAID.includes(found.status) ? "pix" : "thankYou"](found.saleId, key),
    };
    try {
      refuseReturned(sale);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return renderReturned(sale, toFailure(error, request));
    }
    const isOrderingBrowser = isPlacedInBrowser({ ...sale, id: sale.saleId }, placedSaleIds);
    return answer(sale, isOrderingBrowser, request);
  });
}

async function renderReturned(sale: Opened, { status, message }: Failure): Promise<Response> {
  const children = (
    <MessagePage icon="problem" title={TITLE} text={message}>
      <a className="btn btn-main" href={sale.back}>
        Voltar à minha compra
      </a>
    </MessagePage>
  );
  return pageResponse(await render(sale, children), { status });
}

async function requestCorrection(sale: CorrectablePurchase, email: string): Promise<Response> {
  await requestEmailCorrection(sale, email);
  const children = (
    <MessagePage
      icon="done"
      title="Falta confirmar"
      text={`Mandamos um e-mail para o endereço que a compra tem agora. A troca para ${email} vale depois que for confirmada por lá, em até 24 horas.`}
    />
  );
  return pageResponse(await render(sale, children));
}

/** In the seller's colours, as the pages before and after it. */
async function render(
  { sellerId }: CorrectablePurchase,
  children: React.ReactNode,
  script: "form" | "purchase" = "purchase",
) {
  const { settings, checkout } = await findThankYou(sellerId);
  const { css, scheme } = buildPalette(thankYouColors(settings, checkout));
  return renderPage(BUYER_SHELL, { title: TITLE, scheme, script, children }, { css: [css] });
}

async function corrected(sale: Opened, email: string): Promise<Response> {
  const isAdded = sale.customerEmail === null;
  const text = describeCorrection(sale, email);
  const children = (
    <MessagePage icon="done" title={isAdded ? "E-mail adicionado" : "E-mail corrigido"} text={text}>
      <a className="btn btn-main" href={sale.back}>
        {sale.isPaid ? "Voltar à minha compra" : "Voltar ao pagamento"}
      </a>
    </MessagePage>
  );
  return pageResponse(await render(sale, children));
}

type Form = { email: string; error: string | null; alert: string | null };

async function renderForm(
  sale: Opened,
  isOrderingBrowser: boolean,
  form: Form,
  failure: Pick<Failure, "status"> & Partial<Failure> = { status: 200 },
): Promise<Response> {
  const { customerEmail } = sale;
  const current = customerEmail && (isOrderingBrowser ? customerEmail : maskMail(customerEmail));
  const children = (
    <CorrectEmailPage {...sale} {...form} isOrderingBrowser={isOrderingBrowser} current={current} />
  );
  return pageResponse(await render(sale, children, "form"), {
    status: failure.status,
    headers: retryHeaders(failure),
  });
}
