import { PrefetchPageLinks, useFetcher, useLocation, useSearchParams } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { paths } from "#app/kit/paths.ts";
import { AccountField } from "#app/ui/seller/form/form.tsx";
import { useSendOnce } from "#app/ui/seller/form/send-once.ts";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

const useRefundFetcher = (saleId: string) => useFetcher<{ failed: string }>({ key: `refund/${saleId}` });

/**
 * A form about a sale's money: the server redirects back to the sale, wherever it was submitted from. If the network fails,
 * the page stays unchanged. Give its button the key `refund/<sale>`.
 */
export function RefundForm(props: { saleId: string; className?: string; children: ReactNode }) {
  const [query] = useSearchParams();
  const fetcher = useRefundFetcher(props.saleId);
  const onSubmit = useSendOnce(fetcher);
  const form = useRef<HTMLFormElement>(null);
  const wasSent = useRef(false);
  // The next request, also after a refusal, is confirmed anew. Without an answer it is the same one.
  useEffect(() => {
    const isSent = fetcher.state !== "idle";
    if (wasSent.current && !isSent && !fetcher.data) form.current?.reset();
    wasSent.current = isSent;
  }, [fetcher.state, fetcher.data]);
  return (
    <fetcher.Form
      method="post"
      action={paths.refund(props.saleId)}
      noValidate
      preventScrollReset
      ref={form}
      onSubmit={onSubmit}
      className={props.className}
    >
      <AccountField />
      <input type="hidden" name="query" value={query.toString()} />
      {props.children}
    </fetcher.Form>
  );
}

/** Reports that such a form did not arrive. Loaded with the page, since it could not be fetched without a network. */
export function RefundOutcome({ saleId }: { saleId: string }) {
  const { data, state } = useRefundFetcher(saleId);
  const { key } = useLocation();
  const reported = useRef({ data, key });
  if (reported.current.data !== data) reported.current = { data, key };
  // A successful submit reloaded the page: an earlier error is outdated.
  const isCurrent = state === "idle" && reported.current.key === key;
  return (
    <>
      <PrefetchPageLinks page={paths.refund(saleId)} />
      {data && isCurrent && <Outcome about={data} tone="error" text={data.failed} />}
    </>
  );
}

/** A form of one button. It is red, unless its effect is `harmless`. */
export function PanelForm(props: {
  saleId: string;
  intent: string;
  chargeId?: string;
  label: string;
  harmless?: boolean;
  children?: ReactNode;
}) {
  return (
    <RefundForm saleId={props.saleId} className={props.children ? "contents" : undefined}>
      {/* On a row of its own above the dialog's two buttons. */}
      {props.children && <div className="mb-2 flex w-full flex-col items-end gap-4">{props.children}</div>}
      {props.chargeId && <input type="hidden" name="charge_id" value={props.chargeId} />}
      <SubmitButton
        intent={props.intent}
        fetcherKey={`refund/${props.saleId}`}
        pending="Enviando..."
        className={props.harmless ? "btn-primary order-1" : "btn-error order-1"}
      >
        {props.label}
      </SubmitButton>
    </RefundForm>
  );
}
