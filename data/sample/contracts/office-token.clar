;; A SIP-010 token that only another contract, the office, may change.
(impl-trait .sip-010-trait.sip-010-trait)
(define-fungible-token office)
(define-data-var owner principal tx-sender)
(define-data-var name (string-ascii 32) "Office Token")
(define-data-var token-uri (optional (string-utf8 1024)) none)

(define-read-only (get-name) (ok (var-get name)))
(define-read-only (get-symbol) (ok "OFFICE"))
(define-read-only (get-decimals) (ok u6))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance office who)))
(define-read-only (get-total-supply) (ok (ft-get-supply office)))
(define-read-only (get-token-uri) (ok (var-get token-uri)))

(define-public (transfer (amount uint) (sender principal) (recipient principal) (memo (optional (buff 34))))
  (begin
    (asserts! (is-eq tx-sender sender) (err u401))
    (ft-transfer? office amount sender recipient)))

(define-public (set-owner (new-owner principal))
  (begin
    (asserts! (is-eq contract-caller (var-get owner)) (err u401))
    (ok (var-set owner new-owner))))

(define-public (set-token-uri (new-uri (string-utf8 1024)))
  (begin
    (asserts! (is-eq contract-caller (var-get owner)) (err u401))
    (ok (var-set token-uri (some new-uri)))))
