import express, { type RequestHandler } from "express";
import type { Faults } from "../../faults.ts";
import { authenticateBrowser, refuse } from "../access.ts";
import type { MercadoPagoSettings } from "../settings.ts";
import { type Brand, brandOf, CREDIT_BRANDS } from "./brands.ts";
import { payerCostJson, payerCosts } from "./installments.ts";
import type { CardToken, CardTokens, Cause } from "./tokens.ts";

interface Parts {
  faults: Faults;
  cardTokens: CardTokens;
  settings: MercadoPagoSettings;
}

/** Tokens of cards, the brand of a number's first digits, and prices in instalments. Source: Mercado Pago's documentation. */
export function cardRoutes({ faults, cardTokens, settings }: Parts): express.Router {
  const router = express.Router();
  const at = (route: string) => faults.arrive("mercadopago", route);
  const body = express.json({ limit: "16kb" });
  router.post("/v1/card_tokens", at("tokens"), authenticateBrowser, body, (request, response) => {
    const made = cardTokens.create(request.body);
    if (Array.isArray(made)) return response.status(400).json(refusalJson(made));
    response.status(201).json(tokenJson(made));
  });
  router.get("/v1/payment_methods/search", at("methods"), authenticateBrowser, (request, response) => {
    const brand = brandOf(String(request.query.bins ?? ""));
    const results = brand ? [methodJson(brand)] : [];
    response.json({ results, paging: { total: results.length, limit: 30, offset: 0 } });
  });
  router.get("/v1/payment_methods/installments", at("installments"), authenticateBrowser, prices(settings));
  return router;
}

function prices(settings: MercadoPagoSettings): RequestHandler {
  return (request, response) => {
    const { amount, payment_method_id: id, bin } = request.query;
    const cents = Math.round(Number(amount) * 100);
    if (!(cents > 0)) return refuse(response, 400, "property_value", "amount is invalid");
    const ofBin = brandOf(String(bin ?? ""));
    const brand = ofBin ?? CREDIT_BRANDS.find((one) => one.id === id);
    if (!brand) return response.json([]);
    const costs = payerCosts(cents, settings.interestFree);
    response.json([
      {
        ...{ payment_method_id: brand.id, payment_type_id: brand.type, issuer: issuerOf(brand) },
        payer_costs: (brand.type === "debit_card" ? costs.slice(0, 1) : costs).map(payerCostJson),
      },
    ]);
  };
}

const issuerOf = ({ name }: Brand) => ({ id: "25", name });

function methodJson(brand: Brand) {
  const { id, name, type, length, codeLength } = brand;
  return {
    ...{ id, name, payment_type_id: type, status: "active", issuer: issuerOf(brand) },
    settings: [
      {
        card_number: { length, validation: "standard" },
        security_code: { mode: "mandatory", length: codeLength, card_location: "back" },
      },
    ],
    additional_info_needed: [
      "cardholder_name",
      "cardholder_identification_type",
      "cardholder_identification_number",
    ],
    ...{ min_allowed_amount: 0.5, max_allowed_amount: 60_000 },
  };
}

function tokenJson({ id, bin, lastDigits, holderName, createdAt }: CardToken) {
  return {
    ...{ id, status: "active", first_six_digits: bin.slice(0, 6), last_four_digits: lastDigits },
    cardholder: { name: holderName },
    ...{ date_created: new Date(createdAt).toISOString(), luhn_validation: true, live_mode: false },
  };
}

function refusalJson(causes: Cause[]) {
  const cause = causes.map((one) => ({ ...one, data: null }));
  return { message: causes[0]!.description, error: "bad_request", status: 400, cause };
}
