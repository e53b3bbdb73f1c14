import { PrefetchPageLinks, useFetcher, useLocation, useSearchParams } from "@remix-run/react";
import { type ReactNode, useRef } from "react";
import { paths } from "#app/kit/paths.ts";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Outcome } from "#app/ui/seller/outcome.tsx";

const useAsked = (saleId: string) => useFetcher<{ failed: string }>({ key: `refund/${saleId}` });

/**
 * A form that asks something about a sale's money: the server leads back to the sale, wherever it was asked from. Where the
 * network fails the page stays as it is. Give its button the key `refund/<sale>`.
 */
export function RefundForm(props: { saleId: string; className?: string; children: ReactNode }) {
  const [query] = useSearchParams();
  const fetcher = useAsked(props.saleId);
  return (
    <fetcher.Form
      method="post"
      action={paths.refund(props.saleId)}
      noValidate
      preventScrollReset
      className={props.className}
    >
      <input type="hidden" name="query" value={query.toString()} />
      {props.children}
    </fetcher.Form>
  );
}

/** Says that such a form did not arrive. What says so is fetched with the page: without a network it is too late. */
export function RefundOutcome({ saleId }: { saleId: string }) {
  const { data, state } = useAsked(saleId);
  const { key } = useLocation();
  const told = useRef({ data, key });
  if (told.current.data !== data) told.current = { data, key };
  // What got through led on to the page anew: what failed before it is old news.
  const isNews = state === "idle" && told.current.key === key;
  return (
    <>
      <PrefetchPageLinks page={paths.refund(saleId)} />
      {data && isNews && <Outcome about={data} tone="error" text={data.failed} />}
    </>
  );
}

/** A form of one button. It is red, unless what it does is `harmless`. */
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
      {/* In a row of its own above the dialog's two buttons. */}
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
