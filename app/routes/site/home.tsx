import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import {
  ArrowRight,
  ChartColumn,
  Check,
  CreditCard,
  Gift,
  Music,
  Smartphone,
  Users,
  Zap,
} from "lucide-react";
import { anyProviderName } from "#app/domain/gateway/providers/name-with-article.server.ts";
import { paths } from "#app/kit/paths.ts";
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

/** A small illustration of a checkout, with one text alternative. */
function CheckoutSketch() {
  return (
    <div
      role="img"
      aria-label="Ilustração de um checkout: produto, oferta extra, total e o botão de pagar com PIX"
      className="mx-auto w-full max-w-sm select-none rounded-box border border-base-300 bg-base-200 p-5 shadow-xl"
    >
      <div className="rounded-box border border-base-300 bg-base-100 p-5">
        <div className="flex items-center gap-3">
          <span className="grid size-14 place-items-center rounded-field bg-primary/15 text-primary">
            <Music className="size-6" />
          </span>
          <div>
            <p className="font-medium">Curso de Violão</p>
            <p className="text-base-content/70 text-sm">Do zero às primeiras músicas</p>
          </div>
        </div>
        <div className="mt-4 flex items-center gap-3 rounded-field border border-primary/40 border-dashed bg-primary/5 p-3 text-sm">
          <span className="grid size-5 place-items-center rounded bg-primary text-primary-content">
            <Check className="size-3.5" />
          </span>
          Apostila de cifras
          <span className="ml-auto whitespace-nowrap font-medium">+ R$ 19,90</span>
        </div>
        <div className="mt-4 flex items-end justify-between border-base-300 border-t pt-4">
          <span className="text-base-content/70 text-sm">Total a pagar</span>
          <span className="font-semibold text-2xl">R$ 116,90</span>
        </div>
        <div className="mt-4 rounded-field bg-success py-3 text-center font-semibold text-success-content">
          Pagar com PIX
        </div>
      </div>
      <div className="mt-3 flex items-center gap-3 rounded-box border border-base-300 bg-base-100 p-4 text-sm">
        <span className="grid size-8 place-items-center rounded-full bg-success/15 text-success">
          <Check className="size-4" />
        </span>
        <span>
          <span className="block font-medium">Pagamento Aprovado!</span>
          <span className="text-base-content/70">Acesso enviado por e-mail</span>
        </span>
      </div>
    </div>
  );
}

const features = (by: string) => [
  {
    icon: Zap,
    title: "Checkout otimizado",
    text: "Uma página leve, com o que o comprador precisa preencher e um botão. Abre rápido até em celular simples.",
  },
  {
    icon: Gift,
    title: "Order bumps e upsells",
    text: "Ofertas extras no checkout e depois da compra, aceitas sem digitar os dados de novo.",
  },
  {
    icon: CreditCard,
    title: "PIX e cartão",
    text: `Código e QR na hora, confirmação automática ${by}. Cartão à vista ou parcelado, se o seu provedor aceita.`,
  },
  {
    icon: ChartColumn,
    title: "Relatórios detalhados",
    text: "Vendas, receita e conversão por período, com exportação em CSV.",
  },
  {
    icon: Smartphone,
    title: "Feito para o celular",
    text: "Campos grandes, total sempre à vista e código PIX copiado com um toque.",
  },
  {
    icon: Users,
    title: "Gestão de clientes",
    text: "Quem comprou, o que comprou e o que recebeu. Reenvie o acesso quando alguém precisar.",
  },
];

function Features({ by }: { by: string }) {
  return (
    <section aria-labelledby="recursos" className="border-base-300 border-y bg-base-200">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6">
        <h2 id="recursos" className="font-semibold text-3xl tracking-tight">
          Tudo para vender, nada para distrair
        </h2>
        <ul className="mt-8 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {features(by).map(({ icon: Icon, title, text }) => (
            <li key={title} className="rounded-box border border-base-300 bg-base-100 p-6">
              <span className="grid size-10 place-items-center rounded-field bg-primary/10">
                <Icon className="size-5 text-primary" aria-hidden="true" />
              </span>
              <h3 className="mt-4 font-semibold">{title}</h3>
              <p className="mt-2 text-base-content/75 text-sm">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

const BENEFITS = [
  { title: "Menos de 5 minutos", text: "para publicar a primeira página" },
  { title: "24 horas por dia", text: "vendendo e entregando sem você" },
  { title: "Um link", text: "para bio, anúncio, e-mail ou WhatsApp" },
];

function Benefits() {
  return (
    <section aria-label="Benefícios" className="mx-auto max-w-6xl px-4 py-14 sm:px-6">
      <ul className="grid gap-8 text-center sm:grid-cols-3">
        {BENEFITS.map(({ title, text }) => (
          <li key={title}>
            <p className="font-semibold text-2xl tracking-tight">{title}</p>
            <p className="mt-1 text-base-content/75">{text}</p>
          </li>
        ))}
      </ul>
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
