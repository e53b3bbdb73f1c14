import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { isPlacedHere } from "#app/domain/access/may-open.server.ts";
import { askToCorrect, type Correctable, findCorrectable } from "#app/domain/buyer/ask-to-correct.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { findThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { colorsAfter, palette } from "#app/domain/storefront/palette.ts";
import { cleanMail } from "#app/kit/buyer-fields.ts";
import { isMailAddress, maskMail } from "#app/kit/mail-address.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { CorrectEmailPage } from "#app/ui/buyer/email/correct-email-page.tsx";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { MessagePage } from "#app/ui/buyer/message-page.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { type Failure, retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { formOf } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { recallSales } from "#app/web/session/sales-cookie.server.ts";

const TITLE = "Corrigir o e-mail";

/**
 * A mistyped e-mail: corrected at once by the browser that ordered; from anywhere else by a press in a mail to the address
 * it has now.
 */
export async function loader(args: LoaderFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const [sale, isPlacer] = await find(request, params.saleId);
    return ask(sale, isPlacer, { email: "", error: null, alert: null });
  });
}

export async function action(args: ActionFunctionArgs) {
  return buyerPage(LOOK, args, async ({ request, params }) => {
    const [sale, isPlacer] = await find(request, params.saleId);
    const email = cleanMail(String((await formOf(request)).get("email") ?? "").slice(0, 300));
    if (!isMailAddress(email)) {
      const error = email === "" ? "E-mail é obrigatório" : "E-mail inválido";
      return ask(sale, isPlacer, { email, error, alert: null }, { status: 400 });
    }
    if (isPlacer && email === sale.customerEmail) {
      const error = "Este já é o e-mail da compra";
      return ask(sale, isPlacer, { email, error, alert: null }, { status: 400 });
    }
    try {
      // Counted apart: a stranger who has the address keeps nobody from correcting where they ordered.
      const about = `${sale.parentSaleId ?? sale.saleId}${isPlacer ? " by its placer" : ""}`;
      await throttle("correct", request, about);
      if (!isPlacer) return await asked(sale, email);
      await correctEmail(sale.saleId, email);
      return corrected(sale, email);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const failure = toFailure(error, request);
      return ask(sale, isPlacer, { email, error: null, alert: failure.message }, failure);
    }
  });
}

async function find(request: Request, saleId = ""): Promise<[Correctable, boolean]> {
  const sale = await findCorrectable(saleId);
  return [sale, isPlacedHere({ ...sale, id: sale.saleId }, await recallSales(request))];
}

async function asked(sale: Correctable, email: string): Promise<Response> {
  await askToCorrect(sale, email);
  const children = (
    <MessagePage
      icon="done"
      title="Falta confirmar"
      text={`Mandamos um e-mail para o endereço que a compra tem agora. A troca para ${email} vale depois que for confirmada por lá, em até 24 horas.`}
    />
  );
  return respond(await draw(sale, children));
}

/** In its seller's colours, as what comes before and after it. */
async function draw({ sellerId }: Correctable, children: React.ReactNode, isForm = false) {
  const { settings, checkout } = await findThankYou(sellerId);
  const { css, scheme } = palette(colorsAfter(settings, checkout));
  return renderPage(LOOK, { title: TITLE, scheme, isForm, children }, { css: [css] });
}

async function corrected(sale: Correctable, email: string): Promise<Response> {
  const { saleId, isPaid } = sale;
  const isAdded = sale.customerEmail === null;
  const text = isPaid
    ? `Estamos enviando o acesso para ${email}. Os links de antes deixaram de valer.`
    : `Agora o acesso vai para ${email} assim que o PIX for pago.`;
  const children = (
    <MessagePage icon="done" title={isAdded ? "E-mail adicionado" : "E-mail corrigido"} text={text}>
      <a className="btn btn-main" href={isPaid ? paths.thankYou(saleId) : paths.pix(saleId)}>
        {isPaid ? "Voltar à minha compra" : "Voltar ao PIX"}
      </a>
    </MessagePage>
  );
  return respond(await draw(sale, children));
}

type Form = { email: string; error: string | null; alert: string | null };

async function ask(
  sale: Correctable,
  isPlacer: boolean,
  form: Form,
  failure: Pick<Failure, "status"> & Partial<Failure> = { status: 200 },
): Promise<Response> {
  const { customerEmail } = sale;
  const current = customerEmail && (isPlacer ? customerEmail : maskMail(customerEmail));
  const children = <CorrectEmailPage {...sale} {...form} isPlacer={isPlacer} current={current} />;
  return respond(await draw(sale, children, true), {
    status: failure.status,
    headers: retryHeaders(failure),
  });
}
