import { ChartColumn, CreditCard, Gift, Smartphone, Users, Zap } from "lucide-react";

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

/** What the product does, each in a few words. */
export function Features({ by }: { by: string }) {
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

/** Why sellers choose it. */
export function Benefits() {
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
