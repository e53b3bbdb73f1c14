import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ArrowRight, Check } from "lucide-react";
import { anyProviderName } from "#app/domain/gateway/providers/name-with-article.server.ts";
import { paths } from "#app/kit/paths.ts";
import { CheckoutSketch } from "#app/routes/site/checkout-sketch.tsx";
import { Benefits, Features } from "#app/routes/site/features.tsx";
import { currentSeller } from "#app/server/session/guards.server.ts";
import { SiteFrame } from "#app/ui/seller/frame/site-frame.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const providers = { by: anyProviderName("pel"), of: anyProviderName("d") };
  return { signedIn: (await currentSeller(request)) !== null, providers };
}

export default function Home() {
  const { signedIn, providers } = useLoaderData<typeof loader>();
  return (
    <SiteFrame signedIn={signedIn}>
      <Hero signedIn={signedIn} />
      <Features by={providers.by} />
      <Benefits />
      <CallToAction signedIn={signedIn} of={providers.of} />
    </SiteFrame>
  );
}

function Start({ signedIn }: { signedIn: boolean }) {
  return (
    <Link to={signedIn ? paths.dashboard() : paths.register()} className="btn btn-primary btn-lg min-h-12">
      {signedIn ? "Ir para o Dashboard" : "Começar grátis"}
      <ArrowRight className="size-5" aria-hidden="true" />
    </Link>
  );
}

function Hero({ signedIn }: { signedIn: boolean }) {
  return (
    <section className="mx-auto grid max-w-6xl items-center gap-12 px-4 py-14 sm:px-6 lg:grid-cols-[1.15fr_1fr] lg:py-24">
      <div>
        <h1 className="text-balance font-semibold text-4xl tracking-tight sm:text-5xl">
          Seu produto digital, vendido por PIX em uma página só
        </h1>
        <p className="mt-5 max-w-xl text-base-content/75 text-lg">
          Crie o checkout, compartilhe o link e acompanhe cada venda. O comprador paga com PIX e recebe o
          acesso na hora.
        </p>
        <div className="mt-8 flex flex-wrap items-center gap-3">
          <Start signedIn={signedIn} />
          {!signedIn && (
            <Link to={paths.login()} className="btn btn-lg btn-ghost min-h-12">
              Já tenho conta
            </Link>
          )}
        </div>
        <ul className="mt-8 flex flex-wrap gap-x-6 gap-y-2 text-base-content/75 text-sm">
          {["PIX com aprovação automática", "Entrega por e-mail", "Sem instalar nada"].map((text) => (
            <li key={text} className="flex items-center gap-2">
              <Check className="size-4 text-success" aria-hidden="true" />
              {text}
            </li>
          ))}
        </ul>
      </div>
      <CheckoutSketch />
    </section>
  );
}

function CallToAction({ signedIn, of }: { signedIn: boolean; of: string }) {
  return (
    <section className="mx-auto max-w-6xl px-4 pb-20 sm:px-6">
      <div className="rounded-box border border-base-300 bg-base-200 px-6 py-12 text-center">
        <h2 className="font-semibold text-2xl tracking-tight sm:text-3xl">Sua primeira venda começa hoje</h2>
        <p className="mx-auto mt-3 mb-6 max-w-md text-base-content/75">
          Cadastre o produto, conecte a sua conta {of} e compartilhe o link.
        </p>
        <Start signedIn={signedIn} />
      </div>
    </section>
  );
}

export const meta: MetaFunction = () => [
  { title: "Checkintelli: checkout com PIX para produtos digitais" },
  {
    name: "description",
    content: "Crie o checkout do seu produto digital, receba por PIX e acompanhe cada venda.",
  },
];
