import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/queries";
import { App } from "./app";
import "./styles.css";
import { loadLanguage, useLanguage } from "./text/language";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root element");

/** A page in another language is drawn anew: what is open, asked and typed is kept outside of it. */
const Spoken = () => <App key={useLanguage()} />;

const show = () =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Spoken />
      </QueryClientProvider>
    </StrictMode>,
  );

loadLanguage()
  .catch((error: unknown) => console.error("The page is shown in English: its catalogue could not be loaded.", error))
  .finally(show);
