import { useNavigation } from "@remix-run/react";
import { Funnel as FunnelIcon } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Figures } from "#app/routes/seller/reports/figure.tsx";
import { FunnelFilter } from "#app/routes/seller/reports/funnel/filter.tsx";
import type { FunnelReport } from "#app/routes/seller/reports/funnel/funnel.server.ts";
import { HowCounted } from "#app/routes/seller/reports/funnel/how-counted.tsx";
import { FunnelParts } from "#app/routes/seller/reports/funnel/parts.tsx";
import { Steps } from "#app/routes/seller/reports/funnel/steps.tsx";
import { paidOrdersMeaning, STEP_TEXTS, WAIT_LABELS } from "#app/routes/seller/reports/funnel/texts.ts";
import { Waits } from "#app/routes/seller/reports/funnel/waits.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";

/** How far buyers came, where they stopped, and where they came from. */
export function FunnelTab({ report }: { report: FunnelReport }) {
  const navigation = useNavigation();
  const waiting = navigation.state === "loading" && navigation.location.pathname === "/reports";
  return (
    <div
      aria-busy={waiting || undefined}
      className={`flex flex-col gap-6 ${waiting ? "opacity-60 transition-opacity delay-150" : ""}`}
    >
      <FunnelFilter report={report} />
      {report.isEmpty ? (
        <Card flush>
          <Nobody report={report} />
        </Card>
      ) : (
        <>
          {report.hasOrders && <FunnelFigures report={report} />}
          <Steps report={report} />
          {report.hasOrders && <Waits report={report} />}
          <FunnelParts report={report} />
        </>
      )}
      <HowCounted report={report} />
    </div>
  );
}

function Nobody({ report }: { report: FunnelReport }) {
  const { productId, campaign, device, couponId, offerId } = report;
  if (productId !== null || campaign !== null || device !== null || couponId || offerId)
    return (
      <EmptyState
        icon={FunnelIcon}
        title="Ninguém com estes filtros"
        text="Nada combina com o que você escolheu neste período."
        action={{ to: paths.reports(`tab=funnel&range=${report.range}`), label: "Limpar filtros" }}
      />
    );
  return (
    <EmptyState
      icon={FunnelIcon}
      title="Ninguém viu um checkout seu neste período"
      text="Copie o link de um produto, coloque utm_source e utm_campaign nele e divulgue. Cada visita aparece aqui segundos depois."
      action={{ to: paths.products(), label: "Ver meus produtos", isMain: true }}
    />
  );
}

function FunnelFigures({ report }: { report: FunnelReport }) {
  const { loss, steps, waits, middleWait, recovered, reminded } = report;
  const lost = steps.find(({ step }) => step === loss);
  const measured = waits.reduce((sum, count) => sum + count, 0);
  return (
    <Figures
      items={[
        {
          label: report.hasViews ? "Conversão do Checkout" : "Pedidos pagos",
          value: report.conversion ?? "–",
          meaning: !report.hasViews
            ? paidOrdersMeaning(report)
            : report.conversion === null
              ? "Falta contar visitas para comparar com os pedidos pagos."
              : "Das visitas contadas, quantas são pedidos pagos.",
        },
        {
          label: "Onde mais desistem",
          value: lost ? lost.lost.toLocaleString("pt-BR") : "–",
          meaning: lost
            ? `${STEP_TEXTS[lost.step].stopped}: a maior perda do caminho.`
            : "Ninguém parou no caminho.",
        },
        {
          label: "Tempo até Pagar",
          value: middleWait === null ? "–" : WAIT_LABELS[middleWait]!,
          meaning:
            measured === 0
              ? "Ainda não há pagamento com o tempo contado."
              : `Metade paga nesse tempo desde que abriu o checkout. Medido em ${count(measured, "pagamento", "pagamentos")} de ${report.paid.toLocaleString("pt-BR")}.`,
        },
        {
          label: "Recuperado por lembretes",
          value: report.recoveredMoney,
          meaning:
            reminded === 0
              ? "Nenhum comprador foi lembrado de um PIX destes pedidos."
              : `${count(recovered, "pedido pago", "pedidos pagos")} depois do lembrete, de ${count(reminded, "lembrado", "lembrados")}.`,
        },
      ]}
    />
  );
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("pt-BR")} ${number === 1 ? one : many}`;
}
