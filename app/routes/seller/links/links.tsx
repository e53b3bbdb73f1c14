import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useRouteError } from "@remix-run/react";
import { ExternalLink } from "lucide-react";
import { fitsQrCode, INACTIVE_PRODUCT_TEXT } from "#app/domain/checkout/link/build-link.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { qrSvg } from "#app/kit/qr-code.ts";
import { LinkForm } from "#app/routes/seller/links/form.tsx";
import { loadLink, SHOWN_LINK } from "#app/routes/seller/links/link.server.ts";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { ErrorScreen, errorPageTitle, isMissing, refusalText } from "#app/ui/seller/frame/error-screen.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const query = new URL(request.url).searchParams;
  const { product, link, ...chosen } = await orRefusedPage(
    request,
    loadLink(seller.id, params.productId, query),
  );
  const hasQrCode = link !== null && fitsQrCode(link);
  const ofFile = new URLSearchParams([...query, [SHOWN_LINK, link ?? ""]]);
  return {
    ...chosen,
    id: product.id,
    name: product.name,
    bumps: product.bumps.map(({ id, name, priceCents }) => ({ id, name, price: formatMoney(priceCents) })),
    link,
    qrCode: hasQrCode ? await qrSvg(link) : null,
    svgFile: paths.linkQrCode(product.id, "svg", ofFile),
    pngFile: paths.linkQrCode(product.id, "png", ofFile),
  };
}

/** Builds links to a product's checkout. */
export default function Links() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <Screen
      width="form"
      back={{ to: paths.products(), label: "Produtos" }}
      title="Links do checkout"
      text={loaded.name}
      save={{ form: "links", label: "Gerar link" }}
    >
      <div className="flex flex-col gap-6">
        <BuiltLink {...loaded} />
        <LinkForm {...loaded} />
      </div>
    </Screen>
  );
}

function BuiltLink(built: ReturnType<typeof useLoaderData<typeof loader>>) {
  const { link, error, active, problem, offerProblem, total } = built;
  return (
    <Card title="Seu link">
      <div className="flex flex-col gap-4">
        {!active && <Alert tone="warning" text={INACTIVE_PRODUCT_TEXT} />}
        {offerProblem && (
          <Alert
            tone="warning"
            text={`${offerProblem} Enquanto for assim, ninguém consegue comprar por este link.`}
          />
        )}
        {problem && (
          <Alert
            tone="warning"
            text={`${problem} Enquanto for assim, quem abre o link é avisado e vê o preço sem desconto.`}
          />
        )}
        {error && <Alert tone="error" text={error} />}
        {link && (
          <>
            <div className="flex items-center gap-1">
              <a
                href={link}
                target="_blank"
                rel="noreferrer"
                className="link wrap-anywhere min-w-0 flex-1 py-3 text-sm"
              >
                {link}
                <ExternalLink className="ml-1 inline size-4" aria-hidden="true" />
                <span className="sr-only"> (abre em nova aba)</span>
              </a>
              <CopyButton
                text={link}
                label="Copiar link"
                done="Link copiado para a área de transferência!"
                iconOnly
              />
            </div>
            <p className="text-base-content/70 text-sm">
              Quem abre este link vê o total:{" "}
              <strong className="text-base-content">{total?.replaceAll("R$ ", "R$\u00a0")}</strong>
            </p>
            <QrCode {...built} />
          </>
        )}
      </div>
    </Card>
  );
}

function QrCode({ qrCode, svgFile, pngFile }: { qrCode: string | null; svgFile: string; pngFile: string }) {
  if (!qrCode)
    return (
      <p className="text-base-content/70 text-sm">
        Este link é longo demais para um QR code que a câmera leia bem. Encurte os textos da origem.
      </p>
    );
  const FILE = "btn min-h-11 border-base-300 bg-base-100";
  return (
    <div className="flex flex-wrap items-end gap-4">
      <div
        role="img"
        aria-label="QR code do link"
        // White around it in dark colours, too: readers need it.
        className="size-48 rounded-field border border-base-300 bg-white p-4"
        dangerouslySetInnerHTML={{ __html: qrCode }}
      />
      <div className="flex flex-wrap gap-2">
        <a href={pngFile} download className={FILE}>
          Baixar PNG
        </a>
        <a href={svgFile} download className={FILE}>
          Baixar SVG
        </a>
      </div>
    </div>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: error ? errorPageTitle(error) : `${data ? `Links de ${data.name}` : "Links"} · Checkintelli` },
];

export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isMissing(error);
  const text = missing ? undefined : (refusalText(error) ?? "Erro ao carregar links");
  return <ErrorScreen missing={missing} text={text} />;
}
