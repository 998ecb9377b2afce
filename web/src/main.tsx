import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import "./theme.css";
import { applyTheme, chosenTheme } from "./ui/theme.ts";

applyTheme(chosenTheme());
const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
