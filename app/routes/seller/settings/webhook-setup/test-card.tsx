import { Link } from "@remix-run/react";
import { Circle, CircleAlert, CircleCheck, CircleMinus, type LucideIcon } from "lucide-react";
import type { TestResult, TestStep } from "#app/domain/gateway/webhook-setup/describe-webhook-test.server.ts";
import { MAX_WAIT, SECRET_MISSING } from "#app/domain/gateway/webhook-setup/plan-webhook-test.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Badge, type BadgeTone } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Plain } from "#app/ui/seller/scripted.tsx";
import { useRecheck } from "#app/ui/seller/use-recheck.ts";

type Props = {
  provider: string;
  secret: string;
  keyMissing: string | null;
  test: { result: TestResult; steps: TestStep[]; startedAt: string; seenAt: number } | null;
};

const RESULTS: Record<TestResult, { label: string; tone: BadgeTone }> = {
  running: { label: "Testando", tone: "info" },
  passed: { label: "Funcionando", tone: "success" },
  failed: { label: "Falhou", tone: "error" },
  paid: { label: "PIX pago", tone: "warning" },
  outdated: { label: "Teste de novo", tone: "neutral" },
};

/** The end-to-end test: its button, and the steps of the newest one. */
export function TestCard({ provider, secret, keyMissing, test }: Props) {
  const missing = keyMissing ?? (secret === "" ? SECRET_MISSING : null);
  const isRunning = test?.result === "running";
  useRecheck(isRunning, 2 * SECOND);
  return (
    <div id="teste" className="scroll-mt-20">
      <Card
        isRegion
        title="Teste de ponta a ponta"
        text="Criamos um pedido PIX de R$ 1,00 na sua conta, esperamos a notificação e cancelamos o pedido. Ninguém recebe o código, e nada disso entra nas suas vendas."
        badge={
          <span role="status">
            {test && <Badge tone={RESULTS[test.result].tone}>{RESULTS[test.result].label}</Badge>}
          </span>
        }
      >
        <div className="flex flex-col gap-5">
          {test?.result === "passed" && (
            <Alert tone="success" live={false} text="Tudo certo: as notificações chegam e são confirmadas." />
          )}
          {test?.result === "outdated" && (
            <Alert
              tone="info"
              live={false}
              text="A API Key usada neste teste foi trocada ou removida. Teste de novo."
            />
          )}
          {test && <Steps steps={test.steps} />}
          {isRunning ? (
            <Waiting refresh={paths.webhookTest(provider, test.seenAt)} />
          ) : (
            <Form method="post" preventScrollReset className="flex flex-wrap items-center gap-3">
              <SubmitButton
                intent="start-test"
                pending="Iniciando..."
                disabled={missing !== null}
                className="btn-primary"
              >
                {test ? "Testar de novo" : "Testar de ponta a ponta"}
              </SubmitButton>
              {missing && <p className="text-base-content/70 text-xs">{missing}</p>}
            </Form>
          )}
          {test && <p className="text-base-content/70 text-xs">Teste iniciado em {test.startedAt}.</p>}
        </div>
      </Card>
    </div>
  );
}

function Waiting({ refresh }: { refresh: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="text-base-content/70 text-sm">
        Isto leva alguns segundos, e até {MAX_WAIT / MINUTE} minutos se nada chegar. Você pode sair desta
        página.
      </p>
      <Plain>
        <Link to={refresh} reloadDocument className="btn min-h-11 border-base-300">
          Atualizar
        </Link>
      </Plain>
    </div>
  );
}

const STATES: Record<TestStep["state"], { icon: LucideIcon; color: string; label: string }> = {
  waiting: { icon: Circle, color: "text-base-content/40", label: "ainda não" },
  running: { icon: Circle, color: "text-info", label: "em andamento" },
  done: { icon: CircleCheck, color: "text-success", label: "feito" },
  failed: { icon: CircleAlert, color: "text-error", label: "falhou" },
  skipped: { icon: CircleMinus, color: "text-base-content/40", label: "não testado" },
};

function Steps({ steps }: { steps: TestStep[] }) {
  return (
    <ol className="flex flex-col gap-3">
      {steps.map(({ name, state, text }) => {
        const { icon: Icon, color, label } = STATES[state];
        return (
          <li key={name} className="flex gap-3 text-sm">
            {state === "running" ? (
              <span className={`loading loading-spinner size-5 shrink-0 ${color}`} aria-hidden="true" />
            ) : (
              <Icon className={`size-5 shrink-0 ${color}`} aria-hidden="true" />
            )}
            <div className="min-w-0 flex-1 break-words">
              <p>
                <span className={state === "failed" ? "font-semibold" : ""}>{name}</span>
                <span className="text-base-content/70">: {label}</span>
              </p>
              {text && <p className="mt-0.5 text-base-content/80">{text}</p>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
