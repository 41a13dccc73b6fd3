;; Deployed in a block that the chain has left.
(define-read-only (where) (ok "off the canonical chain"))
